/** The proof that the command makes of each copy, shown copies that are wrong in every way it looks for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { eventKey } from '../../../src/logs/detach/event-key.ts'
import { noopLine } from '../../../src/logs/detach/noop.ts'
import { proveCopy } from '../../../src/logs/detach/prove-copy.ts'
import { commit } from '../../support/events.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'
import { HEADER, sessionLine } from '../samples.ts'

afterEach(removeTempDirs)

const EVENT = commit(1, 'the port is 8080')
const START = sessionLine({ type: 'turn/start', seq: 0, data: { turn: 1 } })
const END = sessionLine({ type: 'turn/end', seq: 2, data: { turn: 1 } })
const OURS = sessionLine({ ...EVENT, seq: 1, time: 5 })
const NOOP = `${noopLine(1, 5)}\n`
const HELD = new Set([eventKey(EVENT)])

async function prove(copy: readonly string[], held: ReadonlySet<string> = HELD) {
  const folder = tempDir()
  const [path, other] = [join(folder, 'session.jsonl'), join(folder, 'copy')]
  writeFileSync(path, [HEADER, START, OURS, END].join(''))
  writeFileSync(other, copy.join(''))
  return proveCopy({ path, compression: 'none', size: 0, modified: 0 }, other, held)
}

it('a right copy is proven', async () => {
  expect(await prove([HEADER, START, NOOP, END])).toEqual({ lines: 4, replaced: 1 })
})

it.each([
  ['an event of ours is still in it', [HEADER, START, OURS, END], 'holds an event of ours in line 3'],
  ['under another name too', [HEADER, START, OURS.replace('hologram/', 'plugin:dsh-hologram/'), END], 'holds an event'],
  ['the no-op is marked', [HEADER, START, NOOP.replace('}}', '},"ignorable":true}'), END], 'differs in line 3'],
  ['the no-op is at another time', [HEADER, START, `${noopLine(1, 6)}\n`, END], 'differs in line 3'],
  ['the no-op is not empty', [HEADER, START, NOOP.replace('"start":0', '"start":1'), END], 'differs in line 3'],
  ['a line of others differs', [HEADER, START.replace('1}', '2}'), NOOP, END], 'differs in line 2'],
  ['a line of others has other blanks', [HEADER, START.replace(':', ': '), NOOP, END], 'differs in line 2'],
  ['the header differs', [HEADER.replace('"s"', '"t"'), START, NOOP, END], 'differs in line 1'],
  ['a line is missing at the end', [HEADER, START, NOOP], 'ends before line 4'],
  ['a line is missing in the middle', [HEADER, START, END], 'seq 2 where 1 is due'],
  ['it goes on', [HEADER, START, NOOP, END, END.replace('"seq":2', '"seq":3')], 'goes on after line 4'],
])('%s', async (_, copy, reason) => {
  await expect(prove(copy)).rejects.toThrow(reason)
})

it('the journal lacks what was taken out, or holds something else under its id', async () => {
  const right = [HEADER, START, NOOP, END]
  await expect(prove(right, new Set())).rejects.toThrow('journal does not hold the event at seq 1')
  await expect(prove(right, new Set([eventKey(commit(1, 'another text'))]))).rejects.toThrow('journal does not hold')
})
