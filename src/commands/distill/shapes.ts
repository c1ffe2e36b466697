/**
 * What a value may look like, as sources of patterns that are matched at its beginning, case kept. A dimension whose
 * value does not look like one was not stated: "the path is broken".
 */
const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`
const UNIT = String.raw`(?:[kKMGT]i?B(?:/s)?|[KMGT]b(?:ps)?|[kKmM](?![\w])|%|(?:ms|s|seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?|bytes|tokens|requests|items|rows|entries|files|workers|threads|connections|retries|attempts|users|people|pages|points|lines|characters|pixels|px|percent|rps|qps|USD|EUR|GBP|CNY|RMB|JPY|dollars|euros|million)(?!\w)|毫秒|秒钟|秒|分钟|小时|个小时|天|周|个月|月|年|[千万亿]?(?:元|美元|欧元|人民币|块)|[千万亿]|次|条|个|台|人|行|页|字节|兆)`
export const AMOUNT = String.raw`(?:每(?:分钟|小时|秒|天|个?月|年|人|次)\s*)?(?:[$€£¥]|USD |EUR )?${NUMBER}(?:\s?[kKmM](?=\s))?(?:\s?${UNIT})?(?:\s?(?:per|a|an)\s(?:second|minute|hour|day|week|month|year|user|request|key|client)|/(?:s|sec|min|minute|h|hour|day|month|year|秒|分钟|小时|天|月|年)(?!\w))?`

const MONTH = String.raw`(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?`
const CLOCK = String.raw`(?:[T ]\d{1,2}:\d{2}(?:Z|\s?(?:UTC|CET|am|pm))?)?`
export const DATE = String.raw`(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}${CLOCK}|${MONTH} \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)? ${MONTH}(?:,? \d{4})?|(?:\d{4}\s?年\s?)?\d{1,2}\s?月\s?\d{1,2}\s?[日号]|Q[1-4] \d{4})`

export const PORT = String.raw`\d{1,5}(?![\d.,]*\d)`
export const VERSION = String.raw`(?:[A-Z][A-Za-z.+#]* )?v?\d[A-Za-z0-9.+-]*[A-Za-z0-9]|v?\d`
const OCTETS = String.raw`\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?`
const HOST = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9-]+|[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d+`
const IP6 = '[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}'
export const ADDRESS = String.raw`(?:${OCTETS}|${HOST}|localhost)(?::\d{1,5})?|${IP6}`
export const PATH = String.raw`(?:~|\.{1,2})?/[\w.@%+~-][\w./@%+~*-]*|[A-Za-z]:\\[\w.\\ -]*\w|[\w.@-]+(?:/[\w.@*-]+)+/?|[\w-]+(?:\.[\w-]+)*\.(?:ya?ml|json5?|toml|ini|conf|cfg|env|md|txt|sh|ts|js|py|go|rs|sql|csv|log|xml|lock)(?!\w)`
export const URL = String.raw`[a-z][a-z0-9+.-]{1,10}:\/\/[!-~]*[\w/#=-]|(?:www\.[A-Za-z0-9.-]*|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[a-z]{2,}/[!-~]*)[\w/#=-]`
export const EMAIL = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`
export const PHONE = String.raw`\+?\(?\d[\d ()-]*\d`
export const BRANCH = String.raw`(?:main|master|trunk|develop|dev|next|staging|production|stable)(?![\w/.-])|(?=[\w./-]*[\d/_-])[A-Za-z0-9][\w./-]*\w`
export const REGION = String.raw`[a-z]{2,}(?:-[a-z]+)*-[a-z0-9]+|(?:[a-z]+)(?:us|eu|europe|asia)\d?(?!\w)`
export const TIME_ZONE = String.raw`(?:UTC|GMT)(?:[+-]\d{1,2}(?::\d{2})?)?|[A-Z][a-z]+/[A-Z][A-Za-z_]+|C?[ECMP]S?T(?!\w)`

/** Tools that are written small, which nothing else would tell from a common word. */
const SMALL = String.raw`(?:npm|pnpm|yarn|bun|pip|uv|poetry|conda|cargo|vite|webpack|esbuild|rollup|vitest|jest|mocha|pytest|mypy|ruff|eslint|prettier|biome|docker|podman|make|cmake|bazel|gradle|maven|nginx|caddy|redis|postgres|postgresql|mysql|sqlite|mongodb|kafka|rabbitmq|terraform|ansible|helm|kubectl|systemd|git|zsh|bash|fish|tmux|vim|neovim|cron|gunicorn|uvicorn|celery|grpc|protobuf)(?![\w-])`
const PROPER = String.raw`(?:\p{Lu}[\p{L}\p{N}+#]*(?:[.&/-][\p{L}\p{N}+#]+)*)`
/** A name of a product, place or thing, with its version. */
export const NAME = String.raw`(?:${SMALL}|${PROPER}(?: ${PROPER}){0,3})(?: v?\d+(?:\.\d+)*(?![\w.]*\w))?|(?=[\w.@/-]*[\d_/.@])[A-Za-z][\w.@/-]*\w|\p{Script=Han}{1,8}(?:云|平台|机房|集群|仓库)|语雀|飞书|钉钉|企业微信|码云|石墨|金山文档`
export const DATABASE = String.raw`(?:(?:Postgre(?:s|SQL)|MySQL|MariaDB|SQLite|MongoDB|ClickHouse|Oracle|Redis|DynamoDB|CockroachDB|TiDB|OceanBase|DuckDB|Elasticsearch|Snowflake|BigQuery|Cassandra|SQL Server)|postgres|postgresql|mysql|mariadb|sqlite|mongodb|redis)(?: v?\d+(?:\.\d+)*)?(?![\w-])|(?=[\w.-]*[\d_-])[a-z][\w.-]*\w`
