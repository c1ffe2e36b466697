import fc from 'fast-check'
import type { Stamp } from '../../src/commands/index.ts'
import { newEventId } from '../../src/events/index.ts'

/** Any string JavaScript can hold: NUL, controls, half surrogates and all. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
      { weight: 1, arbitrary: fc.constantFrom(0, 0xd83d, 0xde00, 0x200b, 0x202e, 0x3000, 0xfeff) },
    ),
    { maxLength: 60 },
  )
  .map(units => String.fromCharCode(...units))

export const STAMP: Stamp = {
  id: newEventId(),
  clock: 7,
  ns: { id: 'ns_0123456789abcdef01234567', label: 'desk' },
  at: { session: 's1', turn: 1, step: 2, time: 1_796_000_000_000 },
}
