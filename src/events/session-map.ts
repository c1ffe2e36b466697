import type {} from '@deepseek-ai/dsh-session'
import type {} from '@deepseek-ai/dsh-session/types'
import type { ArchiveEvent, DistillEvent } from './archive.ts'
import type { CommitEvent } from './commit.ts'
import type { EmbedEvent } from './embed.ts'
import type { LinkEvent, UnlinkEvent } from './link.ts'
import type { MergeEvent } from './merge.ts'
import type { PurgeEvent } from './purge.ts'
import type { RecallEvent } from './recall.ts'
import type { SpaceEvent } from './space.ts'

/** Our payloads by the name they have in a session log. */
export interface MemoryEventMap {
  'hologram/space': SpaceEvent
  'hologram/commit': CommitEvent
  'hologram/embed': EmbedEvent
  'hologram/link': LinkEvent
  'hologram/unlink': UnlinkEvent
  'hologram/merge': MergeEvent
  'hologram/purge': PurgeEvent
  'hologram/archive': ArchiveEvent
  'hologram/recall': RecallEvent
  'hologram/distill': DistillEvent
}

// Compile-time only: what makes these events harmless to a host without us is the mark of the carrier, not this.
declare module '@deepseek-ai/dsh-session/types' {
  interface SessionEventMap extends MemoryEventMap {}
}

/** Our payloads by the name they have on hosts with plugin records. */
export interface MemoryRecordMap {
  'plugin:dsh-hologram/space': SpaceEvent
  'plugin:dsh-hologram/commit': CommitEvent
  'plugin:dsh-hologram/embed': EmbedEvent
  'plugin:dsh-hologram/link': LinkEvent
  'plugin:dsh-hologram/unlink': UnlinkEvent
  'plugin:dsh-hologram/merge': MergeEvent
  'plugin:dsh-hologram/purge': PurgeEvent
  'plugin:dsh-hologram/archive': ArchiveEvent
  'plugin:dsh-hologram/recall': RecallEvent
  'plugin:dsh-hologram/distill': DistillEvent
}

declare module '@deepseek-ai/dsh-session' {
  interface PluginRecordMap extends MemoryRecordMap {}
}
