import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distilTurn, MAX_DISTILLED, type Passage, verbatimGate } from '../../../src/commands/distill/index.ts'
import { DEVELOPMENT_CHINESE, DEVELOPMENT_ENGLISH } from '../../fixtures/distill/development.ts'

const said = fc.constantFrom(...[...DEVELOPMENT_ENGLISH, ...DEVELOPMENT_CHINESE].map(({ text }) => text))
/** Pieces of statements, put together in any order: what no label foresees. */
const piece = fc.oneof(
  fc.constantFrom(
    ...'the|The|port|of|for|billing|gateway|staging|is|now|=|:|8443|2.3.1|owner|Alice|owns|release|we|moved|to|from|S3|and|,|.|。|，|的|端口|是|改成了|负责|王芳|由|把|版本|`8443`|"x y"|“甲”|不是|not|if|如果|\n|- |> |```|cafe\u0301|é|８４４３|\ud800|𠮷|\ue000'.split(
      '|',
    ),
  ),
  fc.string({ maxLength: 6, unit: 'binary' }),
)
const text = fc.oneof(
  fc.array(said, { maxLength: 5 }).map(lines => lines.join('\n')),
  fc.array(piece, { maxLength: 25 }).map(pieces => pieces.join(' ')),
  fc.array(piece, { maxLength: 25 }).map(pieces => pieces.join('')),
)
const passage: fc.Arbitrary<Passage> = fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), text })
const turns = fc.array(passage, { maxLength: 4 })

describe('every statement of any turn', () => {
  it('is verbatim, from no tool, and passes the gate', () => {
    let found = 0
    fc.assert(
      fc.property(turns, passages => {
        const statements = distilTurn(passages)
        expect(statements.length).toBeLessThanOrEqual(MAX_DISTILLED)
        for (const statement of statements) {
          found++
          const { subject, dim, value, sentence } = statement
          const from = passages[statement.passage]
          expect(from?.role).not.toBe('tool')
          expect(from?.text.toWellFormed().normalize('NFC')).toContain(sentence)
          expect(sentence).toContain(subject)
          expect(sentence).toContain(value)
          expect(statement.text).toBe(dim === undefined ? sentence : `${subject}|${dim}=${value}`)
          expect(verbatimGate({ subject, value, sentence }, passages)).toMatchObject({ subject, value })
        }
      }),
      { numRuns: 80_000 },
    )
    expect(found).toBeGreaterThan(500)
  })

  it('is the same each time', () => {
    fc.assert(
      fc.property(turns, passages => {
        expect(distilTurn(passages)).toEqual(distilTurn(passages))
      }),
      { numRuns: 200 },
    )
  })
})
