/** Longer replies are not looked at, in UTF-16 units. */
const MAX_REPLY = 100_000
/** Most proposals of a reply that are judged. */
const MAX_PROPOSALS = 64

const FENCED = /^\s*```[a-z]*\s*\n([\s\S]*?)\n\s*```\s*$/i

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** From the first opening to the last closing sign: models like to talk around what they were asked for. */
function outermost(text: string, open: string, close: string): unknown {
  const from = text.indexOf(open)
  const to = text.lastIndexOf(close)
  return from < 0 || to <= from ? undefined : parsed(text.slice(from, to + 1))
}

function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return undefined
  const facts = (value as { facts?: unknown }).facts
  return Array.isArray(facts) ? facts : undefined
}

/** The proposals in a model's reply, of whatever shape; none for what is no reply. Never throws. */
export function parseProposals(reply: unknown): unknown[] {
  if (typeof reply !== 'string' || reply.length > MAX_REPLY) return []
  const text = FENCED.exec(reply)?.[1] ?? reply
  const list = listIn(parsed(text)) ?? listIn(outermost(text, '{', '}')) ?? listIn(outermost(text, '[', ']')) ?? []
  return list.slice(0, MAX_PROPOSALS)
}
