import type { Context } from '@deepseek-ai/cordis'
import type { ReadModel } from '../../readmodels/index.ts'
import type { Config } from '../config.ts'
import type { Recorder } from '../recorder.ts'
import { askModel } from './ask-model.ts'
import { Cooler } from './cooler.ts'
import { followAgents } from './quiet.ts'

/** Distils what has cooled while no agent works, until we are unloaded; with a model only where the settings say so. */
export function coolTurns(ctx: Context, parts: { model: ReadModel; recorder: Recorder; config: Config }): void {
  const { distill, provider, model } = parts.config.cold.cooling
  if (distill === 'off') return
  if ((provider === undefined) !== (model === undefined)) {
    ctx.logger.error('of `cold.cooling.provider` and `cold.cooling.model` only one is set, and it is ignored; set both')
  }
  const cooler = new Cooler(ctx, { ...parts, quiet: followAgents(ctx) })
  const unloaded = new AbortController()
  ctx.effect(() => () => unloaded.abort(), 'hologram cooling')
  if (distill === 'model') {
    const route = provider === undefined || model === undefined ? undefined : { provider, model }
    ctx.inject(['llm'], inner => {
      cooler.useModel(askModel(inner, route))
      inner.effect(() => () => cooler.useModel(undefined), 'hologram distiller')
    })
  }
  void cooler.run(unloaded.signal)
}
