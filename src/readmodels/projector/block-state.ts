import { compareOrder, type Frame, type Order } from '../../events/index.ts'

/** One commit as the fold needs it. Strings are empty where the commit brought nothing. */
export interface SaidOnce extends Order {
  readonly time: number
  readonly text: string
  readonly source: string
  readonly tool: string
  readonly scene: string
  readonly semanticType: string
  readonly session: string
  readonly frame: Frame | null
}

/** What all commits of one text amount to. */
export interface BlockState {
  /** The author's bytes of the earliest commit. */
  readonly text: string
  readonly source: string
  readonly tool: string
  readonly scene: string
  readonly semanticType: string
  /** Where in a conversation it was first said, and in which. */
  readonly frame: Frame | null
  readonly conversation: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly first: Order
  readonly last: Order
}

/**
 * Adds a commit that comes after all those in `state`: the later one wins field by field, empty never overwrites, and
 * the text and the place in a conversation stay those of the earliest.
 */
export function extend(state: BlockState | undefined, commit: SaidOnce): BlockState {
  const order = { clock: commit.clock, id: commit.id }
  return {
    text: state?.text ?? commit.text,
    source: commit.source || (state?.source ?? ''),
    tool: commit.tool || (state?.tool ?? ''),
    scene: commit.scene || (state?.scene ?? ''),
    semanticType: commit.semanticType || (state?.semanticType ?? ''),
    frame: state?.frame ?? commit.frame,
    conversation: state?.frame ? state.conversation : conversationOf(commit),
    createdAt: state?.createdAt ?? commit.time,
    updatedAt: commit.time,
    first: state?.first ?? order,
    last: order,
  }
}

/** The conversation a commit is a line of; empty where it has no place in one. */
function conversationOf({ frame, session }: SaidOnce): string {
  return frame?.pageSeq === undefined ? '' : (frame.conversation ?? session)
}

/** The state that commits amount to, in whatever order they are given. */
export function blockState(commits: readonly SaidOnce[]): BlockState | undefined {
  return [...commits].sort(compareOrder).reduce<BlockState | undefined>(extend, undefined)
}
