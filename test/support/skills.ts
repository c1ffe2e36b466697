import type { Context, Fiber } from '@deepseek-ai/cordis'
import { SkillRegistry } from '@deepseek-ai/dsh-skill'

/** The one skill a test host offers, so that the real catalogue message has something to list. */
export const TEST_SKILL = {
  name: 'tidy-desk',
  description: 'Put every pen back where it belongs.',
  content: 'First the pens, then the paper.',
  source: 'runtime',
} as const

/** Mount the real skill registry and the real `skill` tool; the latter appends the `skill-catalog` message in pre-step. */
export async function mountSkills(ctx: Context): Promise<Fiber[]> {
  const registry = await ctx.plugin(SkillRegistry, {})
  ctx.get('skills')?.register(TEST_SKILL)
  // a variable, so that a checkout without this optional package still compiles
  const specifier: string = '@deepseek-ai/dsh-tool-skill'
  const toolSkill = (await import(specifier)) as { apply(ctx: Context, config: object): void }
  return [registry, await ctx.plugin(toolSkill, {})]
}
