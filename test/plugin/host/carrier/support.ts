/** What the carrier's tests share: the carrier of this host, an append as plugins do it naively, and hosts to do it on. */
import { type Session, Session as SessionClass, type SessionEvent, SessionId } from '@deepseek-ai/dsh-session'
import { afterEach } from 'vitest'
import { type Carrier, findCarrier, installSecondLock } from '../../../../src/plugin/host/carrier/index.ts'
import { bootHost, type Host, type HostOptions } from '../../../support/host.ts'
import { removeTempDirs, tempDir } from '../../../support/logs.ts'

export const COMPRESSIONS = ['zstd', 'none'] as const

export function provenCarrier(): Carrier {
  const { carrier, rejected } = findCarrier()
  if (carrier === undefined) throw new Error(`no carrier: ${JSON.stringify(rejected)}`)
  return carrier
}

/** Append as a plugin does that trusts the types. */
export function appendNaively(session: Session, type: string, data: unknown): SessionEvent {
  return (session as unknown as { append(type: string, data: unknown): SessionEvent }).append(type, data)
}

/** A session that no store holds: nothing is published, nothing is stored. */
export function detached(): Session {
  return SessionClass.create(SessionId('detached'))
}

/** The second lock as a plugin of its own. */
export const lock = { name: 'lock', apply: installSecondLock }

/** Boots hosts that end with the test they were booted in. */
export function hosts(): (options?: Partial<HostOptions>) => Promise<Host> {
  const booted: Host[] = []
  afterEach(async () => {
    for (const host of booted.splice(0)) await host.stop()
    removeTempDirs()
  })
  return async options => {
    const host = await bootHost({ home: tempDir(), ...options })
    booted.push(host)
    return host
  }
}

/** Runs with something else in the place of `Object.freeze`, and puts back exactly what was there. */
export function withFreeze<T>(descriptor: PropertyDescriptor, run: () => T): T {
  const before = Object.getOwnPropertyDescriptor(Object, 'freeze') ?? {}
  Object.defineProperty(Object, 'freeze', { ...descriptor, configurable: true })
  try {
    return run()
  } finally {
    Object.defineProperty(Object, 'freeze', before)
  }
}
