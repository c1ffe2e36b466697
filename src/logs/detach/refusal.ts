/** A session that cannot be detached; the message says why. It is left as it is, and the others go on. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
