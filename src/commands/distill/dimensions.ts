import { OWNER, OWNER_CHINESE } from './people.ts'
import {
  ADDRESS,
  AMOUNT,
  BRANCH,
  DATABASE,
  DATE,
  EMAIL,
  NAME,
  PATH,
  PHONE,
  PORT,
  REGION,
  TIME_ZONE,
  URL,
  VERSION,
} from './shapes.ts'

export interface Dimension {
  readonly name: string
  readonly english: readonly string[]
  readonly chinese: readonly string[]
  readonly shape: RegExp
  /** A project has one of it, so it may be said of nothing ("the deadline is …"). */
  readonly alone?: true
}

/** A pattern for what stands at the beginning of a text. */
export const atStart = (shape: string): RegExp => new RegExp(`^(?:${shape})`, 'u')

/** Every name that is known of a dimension. Passwords and their kind are left out on purpose: they are never kept. */
export const DIMENSIONS: readonly Dimension[] = [
  { name: 'port', english: ['port number', 'port'], chinese: ['端口号', '端口'], shape: atStart(PORT) },
  { name: 'version', english: ['version number', 'version'], chinese: ['版本号', '版本'], shape: atStart(VERSION) },
  {
    name: 'email',
    english: ['email address', 'e-mail address', 'email', 'e-mail', 'mailbox'],
    chinese: ['邮箱地址', '邮件地址', '电子邮箱', '电子邮件', '邮箱'],
    shape: atStart(EMAIL),
  },
  {
    name: 'url',
    english: ['url', 'link', 'homepage'],
    chinese: ['网址', '链接', '主页'],
    shape: atStart(URL),
  },
  {
    name: 'address',
    english: ['ip address', 'ip', 'address', 'hostname', 'host name', 'host', 'domain'],
    chinese: ['IP 地址', 'IP地址', '地址', '主机名', '主机', '域名', 'IP'],
    shape: atStart(`${ADDRESS}|${URL}`),
  },
  {
    name: 'owner',
    english: ['owner', 'maintainer', 'lead', 'contact person', 'person in charge'],
    chinese: ['负责人', '维护人', '维护者', '所有者', '接口人', '联系人'],
    shape: atStart(`${OWNER}|${OWNER_CHINESE}`),
  },
  {
    name: 'deadline',
    english: ['deadline', 'due date', 'cut-off date', 'cutoff date'],
    chinese: ['截止日期', '截止时间', '截止日', '最后期限', '到期日', '截止'],
    shape: atStart(DATE),
    alone: true,
  },
  {
    name: 'path',
    english: ['path', 'directory', 'folder', 'location'],
    chinese: ['路径', '目录', '文件夹'],
    shape: atStart(PATH),
  },
  {
    name: 'phone',
    english: ['phone number', 'phone extension', 'telephone number', 'extension', 'phone', 'telephone', 'hotline'],
    chinese: ['电话号码', '手机号码', '手机号', '分机号', '电话', '分机', '热线'],
    shape: atStart(PHONE),
  },
  { name: 'branch', english: ['branch'], chinese: ['分支'], shape: atStart(BRANCH) },
  {
    name: 'database',
    english: ['database name', 'database'],
    chinese: ['数据库名', '数据库'],
    shape: atStart(DATABASE),
  },
  { name: 'region', english: ['region'], chinese: ['区域', '地域', '大区'], shape: atStart(REGION) },
  { name: 'budget', english: ['budget'], chinese: ['预算'], shape: atStart(AMOUNT), alone: true },
  { name: 'limit', english: ['limit', 'cap'], chinese: ['上限', '限制', '限额'], shape: atStart(AMOUNT) },
  { name: 'quota', english: ['quota'], chinese: ['配额'], shape: atStart(AMOUNT) },
  {
    name: 'timeout',
    english: ['timeout', 'time-out'],
    chinese: ['超时时间', '超时时长', '超时'],
    shape: atStart(AMOUNT),
  },
  { name: 'interval', english: ['interval'], chinese: ['间隔时间', '间隔'], shape: atStart(AMOUNT) },
  { name: 'size', english: ['size'], chinese: ['大小', '尺寸'], shape: atStart(AMOUNT) },
  {
    name: 'repository',
    english: ['repository', 'repo'],
    chinese: ['代码库', '仓库'],
    shape: atStart(`${URL}|${PATH}`),
  },
  { name: 'time zone', english: ['time zone', 'timezone'], chinese: ['时区'], shape: atStart(TIME_ZONE) },
]

/** A name of a product, place or thing: the value of a statement without a dimension. */
export const NAMED: RegExp = atStart(NAME)

const escaped = (alias: string) => alias.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** An alternation of aliases, the longest first. */
export function aliases(of: 'english' | 'chinese', among: readonly Dimension[] = DIMENSIONS): string {
  const all = among.flatMap(dimension => dimension[of]).sort((a, b) => b.length - a.length)
  return all.map(alias => escaped(alias).replaceAll(' ', String.raw`\s+`)).join('|')
}

const BY_ALIAS = new Map(
  DIMENSIONS.flatMap(dimension =>
    [dimension.name, ...dimension.english, ...dimension.chinese].map(
      alias => [alias.toLowerCase(), dimension] as const,
    ),
  ),
)

/** The dimension an alias names, in either language. */
export function dimensionOf(alias: string): Dimension | undefined {
  return BY_ALIAS.get(alias.replace(/\s+/gu, ' ').toLowerCase())
}

export function dimensionNamed(name: string): Dimension {
  const found = DIMENSIONS.find(dimension => dimension.name === name)
  if (!found) throw new Error(`There is no dimension "${name}"`)
  return found
}
