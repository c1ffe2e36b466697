/**
 * A process of its own that tells, as one line of JSON, which carrier the host packages beside us allow. It fails where
 * there are none. For `dsh-hologram doctor`, which must run without them.
 */
import { findCarrier } from './find.ts'

const { carrier, rejected } = findCarrier()
process.stdout.write(`${JSON.stringify({ strategy: carrier?.strategy, rejected })}\n`)
