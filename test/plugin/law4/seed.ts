/** Fills a memory with blocks, in a process of its own: `node seed.ts <database> <journal> <count> <namespace>`. */
import { argv } from 'node:process'
import { eventName, newEventId, type StoredEvent } from '../../../src/events/index.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'

const WORDS = 'alpha beta gamma delta valve pump relay 网关 端口 身份 校验 部署 cache queue shard replica'.split(' ')
const BATCH = 2_000

const [path = '', journal = '', count = '0', ns = ''] = argv.slice(2)
const store = new Store({ path, journal })
for (let from = 1; from <= Number(count); from += BATCH) {
  store.fold(Array.from({ length: Math.min(BATCH, Number(count) - from + 1) }, (_, n) => event(from + n)))
}
const { blocks } = store.stats()
store.close()
console.log(blocks)

function event(n: number): StoredEvent {
  const word = (step: number) => WORDS[(n * step) % WORDS.length]
  const text = `unit ${n} ${word(1)} ${word(3)}`
  const envelope = {
    v: 1,
    id: newEventId(),
    clock: n,
    ns: { id: ns, label: 'seeded' },
    at: { time: 1_700_000_000_000 + n },
  }
  return { type: eventName('commit'), data: { ...envelope, text, origin: 'import' } }
}
