import { ToolArgsError, type ToolDefinition } from '@deepseek-ai/dsh-tools'

/**
 * The same tool, refusing arguments that it does not have: a misspelt `remove` or `everywhere` must not do something
 * else than was meant. The model is told which there are.
 */
export function strict(tool: ToolDefinition): ToolDefinition {
  const known = Object.keys((tool.parameters as { readonly properties?: object }).properties ?? {})
  return {
    ...tool,
    parameters: { ...tool.parameters, additionalProperties: false },
    execute(args, exec) {
      const foreign = Object.keys(typeof args === 'object' && args !== null ? args : {}).filter(
        name => !known.includes(name),
      )
      if (foreign.length > 0) {
        const names = foreign.map(name => `"${name.slice(0, 100)}"`).join(', ')
        return Promise.reject(new ToolArgsError([`there is no ${names}; ${tool.name} takes ${known.join(', ')}`]))
      }
      return tool.execute(args, exec)
    },
  }
}
