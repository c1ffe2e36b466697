/** Logs written byte by byte: what is changed in a file and what is not, and every way to be left as it is. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { detach } from '../../../src/logs/detach/index.ts'
import { noopLine } from '../../../src/logs/detach/noop.ts'
import { JournalWriter, listStreams } from '../../../src/logs/index.ts'
import { readZstd } from '../../../src/logs/zstd-frames.ts'
import { commit } from '../../support/events.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'
import { frame, HEADER, readJournal, readLog, sessionLine } from '../samples.ts'
import { apply, QUIET } from './sessions.ts'

afterEach(removeTempDirs)

const ours = (seq: number, type = 'hologram/commit') =>
  sessionLine({ ...commit(seq + 1, `端口 ${seq}`), type, seq, time: 1_000 + seq })
const START = sessionLine({ type: 'turn/start', seq: 0, data: { turn: 1 } })
const packed = (seq: number) =>
  `{"type":"text-chunks", "seq0":${seq},"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","hologram/","c"]}}\n`
const LOG = [HEADER, START, ours(1), packed(2), ours(5, 'plugin:hologram/commit'), ours(6, 'plugin:dsh-hologram/x')]
const DETACHED = [
  HEADER,
  START,
  `${noopLine(1, 1_001)}\n`,
  packed(2),
  `${noopLine(5, 1_005)}\n`,
  `${noopLine(6, 1_006)}\n`,
]

type Compression = 'zstd' | 'none'

function store(
  parts: readonly string[],
  compression: Compression = 'none',
  session = 's',
  root = join(tempDir(), 'r'),
) {
  const folder = join(root, 'project', session)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, compression === 'zstd' ? 'session.jsonl.zstd' : 'session.jsonl')
  const [header = '', ...rest] = parts
  // the host writes its header as a frame of its own, then one for each batch
  const bytes = compression === 'zstd' ? Buffer.concat([header, rest.join('')].map(frame)) : parts.join('')
  writeFileSync(path, bytes)
  return { root, path, folder, journal: join(root, '..', 'journal') }
}

async function journaled(journal: string): Promise<unknown[]> {
  const found = []
  for (const { path } of await listStreams(journal)) found.push(...(await readJournal(path)).events)
  return found
}

describe.each(['none', 'zstd'] as const)('a stored log (%s)', compression => {
  it('keeps every line but ours byte for byte, ours under any name become no-ops at their seq and time', async () => {
    const { root, path, journal, folder } = store(LOG, compression)
    const before = readFileSync(path)
    const held = (await readLog(path, compression)).events
    expect(await apply(root)).toMatchObject([
      { session: 's', status: 'applied', events: 3, secured: 3, lines: 6, backup: `${path}.before-detach` },
    ])
    const { text } = await unpack(path, compression)
    expect(text).toBe(DETACHED.join(''))
    expect(readFileSync(`${path}.before-detach`)).toEqual(before)
    expect(await journaled(journal)).toEqual(held)
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it('keeps mode and times, and a second run changes nothing', async () => {
    const { root, path, journal } = store(LOG, compression)
    chmodSync(path, 0o640)
    await apply(root)
    const before = statSync(`${path}.before-detach`)
    const after = statSync(path)
    expect(after.mode & 0o777).toBe(0o640)
    expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid])
    expect(Math.abs(after.mtimeMs - before.mtimeMs)).toBeLessThan(1)
    const bytes = readFileSync(path)
    const streams = await journaled(journal)
    expect(await apply(root)).toMatchObject([{ status: 'clean' }])
    expect(readFileSync(path)).toEqual(bytes)
    expect(await journaled(journal)).toEqual(streams)
    expect(existsSync(`${path}.before-detach.2`)).toBe(false)
  })

  it('torn at any byte is cut as a host cuts it, and loses nothing else', async () => {
    const whole = readFileSync(store(LOG, compression).path)
    const seen = new Set<string>()
    for (let length = whole.length; length > whole.length * 0.3; length -= 7) {
      const { root, path } = store([HEADER], compression)
      writeFileSync(path, whole.subarray(0, length))
      const before = await unpack(path, compression)
      const kept = before.text.slice(0, before.text.lastIndexOf('\n') + 1)
      const lines = kept.split('\n').length - 1
      const [result] = await apply(root)
      const { text } = await unpack(path, compression)
      seen.add(result?.status ?? '')
      if (result?.status === 'applied') expect(text, `cut at ${length}`).toBe(DETACHED.slice(0, lines).join(''))
      else expect(text, `cut at ${length}`).toBe(before.text)
    }
    expect([...seen].sort()).toEqual(['applied', 'clean'])
  })

  it('a damaged one is left as it is, with the reason, and the others go on', async () => {
    const root = join(tempDir(), 'r')
    const gap = store([HEADER, START, ours(2)], compression, 'gap', root)
    const garbage = store([HEADER, START, ours(1), 'rubbish\n', ours(2)], compression, 'garbage', root)
    const newer = store([HEADER.replace('"version":0', '"version":1'), START, ours(1)], compression, 'newer', root)
    store([HEADER, START, 'rubbish\n'], compression, 'of others', root)
    store(LOG, compression, 'whole', root)
    const before = [gap, garbage, newer].map(({ path }) => readFileSync(path))
    expect(await apply(root).then(results => results.sort((a, b) => (a.session < b.session ? -1 : 1)))).toMatchObject([
      { session: 'gap', status: 'left', reason: 'line 3 has seq 2 where 1 is due' },
      { session: 'garbage', status: 'left', reason: 'line 4 is not valid JSON' },
      { session: 'newer', status: 'left', reason: expect.stringContaining('format version 1') },
      { session: 'of others', status: 'clean' },
      { session: 'whole', status: 'applied' },
    ])
    expect([gap, garbage, newer].map(({ path }) => readFileSync(path))).toEqual(before)
    expect([gap, garbage, newer].flatMap(({ folder }) => readdirSync(folder))).toHaveLength(3)
  })
})

async function unpack(path: string, compression: Compression): Promise<{ text: string }> {
  if (compression === 'none') return { text: readFileSync(path, 'utf8') }
  const chunks: Buffer[] = []
  for await (const chunk of readZstd(path, () => {})) chunks.push(Buffer.from(chunk))
  return { text: Buffer.concat(chunks).toString('utf8') }
}

it('a damaged frame is left as it is', async () => {
  const { root, path } = store(LOG, 'zstd')
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 0xff, bytes.length - 1)
  writeFileSync(path, bytes)
  expect(await apply(root)).toMatchObject([{ status: 'left', reason: expect.stringContaining('damaged') }])
  expect(readFileSync(path)).toEqual(bytes)
})

describe('the journal', () => {
  it('gets only what it lacks, by id and content, under whichever name', async () => {
    const { root, journal } = store([HEADER, START, ours(1), ours(2), ours(3)])
    const writer = JournalWriter.inFolder(journal)
    writer.append([{ ...commit(2, '端口 1'), type: 'plugin:dsh-hologram/commit' }, commit(3, 'something else')])
    writer.close()
    expect(await apply(root)).toMatchObject([{ status: 'applied', events: 3, secured: 2 }])
  })

  it('gets an event of two logs once', async () => {
    const root = join(tempDir(), 'r')
    store(LOG, 'none', 'a', root)
    store(LOG, 'none', 'b', root)
    expect(await apply(root)).toMatchObject([{ secured: 3 }, { secured: 0 }])
  })

  it('that cannot be written ends it all before anything is changed', async () => {
    const { root, path, folder } = store(LOG)
    writeFileSync(join(root, '..', 'journal'), 'a file')
    await expect(apply(root)).rejects.toThrow()
    expect(readFileSync(path, 'utf8')).toBe(LOG.join(''))
    expect(readdirSync(folder)).toHaveLength(1)
  })
})

describe('copies', () => {
  it('are made beside the log, which is not touched; applying takes them away', async () => {
    const { root, path, folder, journal } = store(LOG)
    expect(await detach({ roots: [root], journal })).toMatchObject([{ status: 'copied', copy: `${path}.detached` }])
    expect(readFileSync(path, 'utf8')).toBe(LOG.join(''))
    expect(readFileSync(`${path}.detached`, 'utf8')).toBe(DETACHED.join(''))
    await apply(root)
    expect(readdirSync(folder).sort()).toEqual(['session.jsonl', 'session.jsonl.before-detach'])
  })

  it('never land among the logs', async () => {
    const { root, journal } = store(LOG)
    for (const out of [root, join(root, 'out')]) {
      await expect(detach({ roots: [root], journal, out })).rejects.toThrow('outside')
    }
  })

  it('of two sessions of one name do not overwrite each other', async () => {
    const [a, b] = [store(LOG), store(LOG)]
    const out = join(tempDir(), 'out')
    expect(await detach({ roots: [a.root, b.root], journal: a.journal, out })).toMatchObject([
      { status: 'copied' },
      { status: 'left', reason: expect.stringContaining('another session') },
    ])
  })
})

describe('swapping', () => {
  it('keeps every backup there is', async () => {
    const { root, path } = store(LOG)
    await apply(root)
    appendFileSync(path, ours(7))
    expect(await apply(root)).toMatchObject([{ backup: `${path}.before-detach.2`, events: 1 }])
    expect(readFileSync(`${path}.before-detach`, 'utf8')).toBe(LOG.join(''))
  })

  it('goes on where a run was ended between backup and swap, and takes what it left away', async () => {
    const { root, path, folder } = store(LOG)
    linkSync(path, `${path}.before-detach`)
    writeFileSync(`${path}.detaching-4194999`, 'half a cop')
    expect(await apply(root)).toMatchObject([{ status: 'applied', backup: `${path}.before-detach` }])
    expect(readdirSync(folder).sort()).toEqual(['session.jsonl', 'session.jsonl.before-detach'])
    expect(readFileSync(`${path}.before-detach`, 'utf8')).toBe(LOG.join(''))
  })

  it('the backup put back is the log as it was, and can be detached again', async () => {
    const { root, path } = store(LOG)
    await apply(root)
    renameSync(`${path}.before-detach`, path)
    expect(readFileSync(path, 'utf8')).toBe(LOG.join(''))
    expect(await apply(root)).toMatchObject([{ status: 'applied', events: 3, secured: 0 }])
  })

  it('is not done while a host runs, nor when that cannot be told; a host that comes up meanwhile stops it', async () => {
    const { root, path, journal, folder } = store(LOG)
    const places = { home: '', paths: [] }
    const found = [{ pid: 7, why: 'it is a host' }]
    await expect(apply(root, { apply: { places, findHosts: async () => found } })).rejects.toThrow('process 7')
    const unknown = async () => Promise.reject(new Error('no list'))
    await expect(apply(root, { apply: { places, findHosts: unknown } })).rejects.toThrow('cannot be told')
    expect(existsSync(journal)).toBe(false)
    let calls = 0
    const later = async () => (calls++ === 0 ? [] : found)
    expect(await apply(root, { apply: { places, findHosts: later } })).toMatchObject([
      { status: 'left', reason: expect.stringContaining('process 7') },
    ])
    expect(readFileSync(path, 'utf8')).toBe(LOG.join(''))
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('is not done to a log that was written to just now, or while it was worked on', async () => {
    const { root, path, journal, folder } = store(LOG)
    expect(await detach({ roots: [root], journal, apply: QUIET })).toMatchObject([
      { status: 'left', reason: expect.stringMatching(/written to \d s ago/) },
    ])
    let calls = 0
    const meanwhile = async () => {
      if (calls++ > 0) appendFileSync(path, ours(7))
      return []
    }
    expect(await apply(root, { apply: { ...QUIET, findHosts: meanwhile } })).toMatchObject([
      { status: 'left', reason: expect.stringContaining('changed while') },
    ])
    expect(readFileSync(path, 'utf8')).toBe([...LOG, ours(7)].join(''))
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('works on the file that a link names', async () => {
    const { root, path } = store(LOG)
    const real = join(tempDir(), 'elsewhere.jsonl')
    writeFileSync(real, LOG.join(''))
    rmSync(path)
    symlinkSync(real, path)
    utimesSync(real, 1, 1)
    expect(await apply(root)).toMatchObject([{ path: real, status: 'applied' }])
    expect(readFileSync(path, 'utf8')).toBe(DETACHED.join(''))
    expect(existsSync(`${real}.before-detach`)).toBe(true)
  })
})

describe('sessions', () => {
  it('are chosen by id, and one that is not there ends it before anything is done', async () => {
    const root = join(tempDir(), 'r')
    const odd = store(LOG, 'none', 'a~002Fb', root)
    store(LOG, 'none', 'c', root)
    await expect(apply(root, { sessions: ['c', 'd'] })).rejects.toThrow('no session d')
    expect(existsSync(odd.journal)).toBe(false)
    expect(await apply(root, { sessions: ['a/b'] })).toMatchObject([{ session: 'a/b', status: 'applied' }])
    expect(readFileSync(join(dirname(odd.folder), 'c', 'session.jsonl'), 'utf8')).toBe(LOG.join(''))
  })

  it('of a folder given twice are detached once; of one that is not there, none', async () => {
    const { root } = store(LOG)
    expect(await apply(root, { roots: [root, `${root}/`, join(root, 'nowhere')] })).toHaveLength(1)
  })
})
