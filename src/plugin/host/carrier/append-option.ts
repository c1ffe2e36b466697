import { eventName } from '../../../events/index.ts'
import type { OpenAppend, Strategy } from './carrier.ts'

/** An `append` that honours `ignorable`. Hosts up to 0.1.5 drop the option silently, which the proof notices. */
export const appendOption: Strategy = {
  name: 'append-option',
  append: (session, verb, payload) =>
    (session as unknown as OpenAppend).append(eventName(verb), payload, { ignorable: true }),
}
