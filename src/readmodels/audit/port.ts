import type { EndpointKind } from '../../events/index.ts'

/** One place a block was said. */
export interface Said {
  readonly event: string
  readonly session: string
  readonly turn: number | null
  readonly step: number | null
  readonly seq: number | null
  /** Unix milliseconds. */
  readonly time: number
  readonly origin: string
}

/** An edge at one end of which a block stands. */
export interface BlockEdge {
  readonly sourceKind: EndpointKind
  readonly sourceId: string
  readonly type: string
  readonly targetKind: EndpointKind
  readonly targetId: string
  /** In [0, 1]. */
  readonly confidence: number
}

/** A block that recall answers without, and the one it answers with. */
export interface Replacement {
  readonly id: string
  readonly text: string
  readonly by: string
  readonly byText: string
  readonly reason: string
}

/** A block as it is now in one namespace. Of a purged one nothing is left but its ids. */
export interface BlockView {
  /** The id that stands for it. */
  readonly id: string
  /** Every id that means it. */
  readonly ids: readonly string[]
  readonly namespace: string
  readonly label: string
  readonly state: 'living' | 'purged'
  readonly text: string | null
  readonly source: string
  readonly scene: string
  readonly semanticType: string
  /** Unix milliseconds of its earliest commit. */
  readonly createdAt: number | null
  /** Where it was said, oldest first, at most twenty; `places` counts them all. */
  readonly said: readonly Said[]
  readonly places: number
  readonly edges: readonly BlockEdge[]
  /** What replaced it, and what it replaced. */
  readonly replacements: readonly Replacement[]
  /** Fingerprints of the spaces in which it has a vector. */
  readonly spaces: readonly string[]
}
