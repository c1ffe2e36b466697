/** Case 31 with the plugin on a disk that is really full: clear errors, turns as ever, and no restart once there is room. */
import { afterAll, describe, expect, it } from 'vitest'
import { haveSmallDisk, onSmallDisk } from '../../support/small-disk.ts'
import { removeTempDirs } from '../../support/temp.ts'

afterAll(removeTempDirs)

const NOTE = 'the runbook lies in drawer 4324'

describe.runIf(haveSmallDisk())('a disk that is full', () => {
  it('refuses a commit by name of what is wrong, ends turns, still answers, and takes commits when it has room', () => {
    const script = new URL('./full-disk.ts', import.meta.url).pathname
    const { status, stdout, stderr } = onSmallDisk(process.execPath, script)
    expect(status, stderr).toBe(0)
    const { full, unsaid, after, ladder, degraded, key } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    const completed = expect.objectContaining({ reason: { kind: 'completed' } })
    expect(full).toEqual({
      told: expect.stringMatching(/not written: the disk is full/),
      end: completed,
      outcome: 'hits',
      found: [NOTE],
    })
    expect(unsaid).toMatch(/not written: the disk is full/)
    expect(after).toMatchObject({ told: expect.stringContaining('Remembered as blk_'), end: completed, found: [NOTE] })
    expect({ ladder, degraded, key }).toEqual({ ladder: 'the ladder stands in the hall', degraded: [], key: 1 })
  }, 120_000)
})
