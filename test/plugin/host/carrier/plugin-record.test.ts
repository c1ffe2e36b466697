/**
 * Hosts with plugin records. None can be installed here, so their module is made up: what it does is what is known of
 * them (it checks the name, stamps the mark, and appends), on the sessions of the real host.
 */
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { findCarrier, strategies } from '../../../../src/plugin/host/carrier/index.ts'
import { commit, recall, space } from '../../../events/samples.ts'
import { readStoredEvents, stockOpen } from '../../../support/logs.ts'
import { appendNaively, COMPRESSIONS, hosts, lock, withFreeze } from './support.ts'

const boot = hosts()
const NAME = /^plugin:[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/
const freeze = Object.freeze

const module = {
  appendPluginRecord(session: Session, type: string, data: unknown): SessionEvent {
    if (!NAME.test(type)) throw new Error(`bad record name ${type}`)
    const stamping = (target: object) => {
      if ('seq' in target && 'data' in target) Reflect.set(target, 'ignorable', true)
      return freeze(target)
    }
    return withFreeze({ writable: true, value: stamping }, () => appendNaively(session, type, data))
  },
}

describe('plugin records', () => {
  it('are preferred to everything else where the host has them', () => {
    expect(strategies(module).map(({ name }) => name)).toEqual(['plugin-record', 'append-option', 'mark-at-birth'])
    expect(findCarrier(strategies(module))).toMatchObject({ carrier: { strategy: 'plugin-record' }, rejected: [] })
  })

  it.each([{}, { appendPluginRecord: undefined }, { appendPluginRecord: 'yes' }])(
    'are not tried on a module without: %j',
    other => {
      expect(strategies(other).map(({ name }) => name)).toEqual(['append-option', 'mark-at-birth'])
    },
  )

  it('that do not stamp are passed over for the mark at birth', () => {
    const search = findCarrier(strategies({ appendPluginRecord: appendNaively }))
    expect(search.carrier?.strategy).toBe('mark-at-birth')
    expect(search.rejected[0]).toEqual({ strategy: 'plugin-record', reason: 'the event is not marked' })
  })

  it('that throw are passed over too', () => {
    const appendPluginRecord = (): never => {
      throw new Error('another instance of the module')
    }
    const search = findCarrier(strategies({ appendPluginRecord }))
    expect(search.carrier?.strategy).toBe('mark-at-birth')
    expect(search.rejected[0]?.reason).toBe('another instance of the module')
  })

  it.each(COMPRESSIONS)(
    'carry our events under their record names, past the lock, to a stock host (%s)',
    async compression => {
      const host = await boot({ compression })
      await host.mount(lock)
      const { carrier } = findCarrier(strategies(module))
      const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
      carrier?.append(session, 'space', space())
      carrier?.append(session, 'commit', commit())
      carrier?.append(session, 'recall', recall())
      const live = session.events
      expect(live.map(({ type, ignorable }) => ({ type, ignorable }))).toEqual(
        ['space', 'commit', 'recall'].map(verb => ({ type: `plugin:dsh-hologram/${verb}`, ignorable: true })),
      )
      await host.stop()
      expect(await readStoredEvents(host.sessionsRoot, 's')).toEqual(live)
      expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({ ok: true })
    },
  )
})
