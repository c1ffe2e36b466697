/** What the agent is told in act 1, and how act 2 asks for it: never in the words it was told in. */

export const FIRST_SESSION = 'monday'
export const SECOND_SESSION = 'thursday'

export interface Telling {
  /** What the human says. */
  readonly says: string
  /** What the scripted model commits when it hears that. */
  readonly facts: readonly string[]
}

const KESTREL = 'Kestrel staging: PostgreSQL answers on port 6543 and accepts TLS connections only.'
const PAGER = 'If the payment queue backs up, page Ines Okafor first; she owns ERR_QUEUE_1042.'
const WINDOW = '生产环境的发布窗口是每周四 22:00 到 23:30，其他时间不得上线。'
const BETA = '端口8443已改给svc-beta用，旧的8080停用。'
const BACKUP = '数据库备份放在 /srv/backup/nightly，保留三十天。'

export const TELLINGS: readonly Telling[] = [
  { says: 'Some notes for the team. First the staging database, then who to call.', facts: [KESTREL, PAGER] },
  { says: '再记几条运维的规矩：发布、端口、备份。', facts: [WINDOW, BETA, BACKUP] },
]

export const FACTS: readonly string[] = TELLINGS.flatMap(({ facts }) => facts)

export interface Asking {
  readonly asks: string
  /** The facts that must come back, and no others; none for a question about something nobody ever said. */
  readonly recalls: readonly string[]
}

export const ASKINGS: readonly Asking[] = [
  { asks: "My client cannot connect to Kestrel's database on staging. What am I missing?", recalls: [KESTREL] },
  { asks: '想在生产环境上线，哪天晚上可以发布？', recalls: [WINDOW] },
  { asks: 'who do I call about err_queue_1042', recalls: [PAGER] },
  { asks: 'svc-beta 现在监听哪个端口？', recalls: [BETA] },
  { asks: 'Which colour is the office sofa?', recalls: [] },
]
