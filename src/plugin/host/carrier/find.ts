import * as sessionModule from '@deepseek-ai/dsh-session'
import { appendOption } from './append-option.ts'
import type { Carrier, Strategy } from './carrier.ts'
import { markAtBirth } from './mark-at-birth.ts'
import { pluginRecord } from './plugin-record.ts'
import { disprove } from './prove.ts'

/** The carrier this host allows, and what spoke against each strategy before it. */
export interface CarrierSearch {
  readonly carrier: Carrier | undefined
  readonly rejected: ReadonlyArray<{ readonly strategy: Strategy['name']; readonly reason: string }>
}

/** The strategies of this host, the host's own ways first. */
export function strategies(module: object = sessionModule): Strategy[] {
  return [pluginRecord(module), appendOption, markAtBirth].filter(strategy => strategy !== undefined)
}

/** The first strategy that proves itself; without one, events go to the journal only. */
export function findCarrier(candidates: readonly Strategy[] = strategies()): CarrierSearch {
  const rejected: Array<{ strategy: Strategy['name']; reason: string }> = []
  for (const strategy of candidates) {
    const reason = disprove(strategy)
    if (reason === undefined) return { carrier: carrierOf(strategy), rejected }
    rejected.push({ strategy: strategy.name, reason })
  }
  return { carrier: undefined, rejected }
}

function carrierOf(strategy: Strategy): Carrier {
  return {
    strategy: strategy.name,
    append(session, verb, payload) {
      const event = strategy.append(session, verb, payload)
      // The second lock refuses an unmarked event of a live session before this; a detached one has no listeners.
      if (event.ignorable !== true) throw new Error(`the ${strategy.name} carrier appended an unmarked event`)
      return event
    },
  }
}
