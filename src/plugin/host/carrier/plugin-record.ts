import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { recordName } from '../../../events/index.ts'
import type { Strategy } from './carrier.ts'

type AppendPluginRecord = (session: Session, type: string, data: unknown) => SessionEvent

/** The host's own way, where it has one. `module` must be the instance of `dsh-session` the host itself runs on. */
export function pluginRecord(module: object): Strategy | undefined {
  const append: unknown = Reflect.get(module, 'appendPluginRecord')
  if (typeof append !== 'function') return undefined
  return {
    name: 'plugin-record',
    append: (session, verb, payload) => (append as AppendPluginRecord)(session, recordName(verb), payload),
  }
}
