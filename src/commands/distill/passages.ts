import { leading } from '../../events/index.ts'
import { definite, type Statement } from './definite.ts'
import { MAX_DISTILLED_UNITS, type Passage } from './distilled.ts'
import { sentencesOf } from './sentence.ts'

/**
 * The definite sentences of a turn: all that users said, then what the assistant said. Tools give none: their output
 * is what a machine printed, not what somebody holds to be so.
 */
export function* statementsOf(passages: readonly Passage[]): Generator<Statement> {
  let left = MAX_DISTILLED_UNITS
  for (const role of ['user', 'assistant'] as const) {
    for (const [at, passage] of passages.entries()) {
      if (passage.role !== role || left <= 0) continue
      const text = leading(passage.text, left).toWellFormed().normalize('NFC')
      left -= text.length
      for (const sentence of sentencesOf(text, at)) {
        const statement = definite(sentence)
        if (statement) yield statement
      }
    }
  }
}
