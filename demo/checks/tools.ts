/** V4: the tools as the model meets them: what it is offered, what it calls, what it reads. */
import { textsOf, type WireTool } from '../../test/support/model-server.ts'
import { all, atDesk, type Found } from './desk.ts'

const FACT = 'Kestrel nightly jobs start at 02:15 on host kes-07.'

interface Parameters {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

export async function toolsEndToEnd(): Promise<Found> {
  return atDesk({}, async ({ host, model, agent }) => {
    const telling = await agent('v4-told')
    model.push(
      {
        toolCalls: [{ name: 'stablemem_commit', arguments: { text: FACT, source: 'runbook', scene: 'jobs/nightly' } }],
      },
      { toolCalls: [{ name: 'stablemem_commit', arguments: { source: 'no text' } }] },
      { text: 'done' },
    )
    await host.runTurn(telling, 'remember when the jobs start')
    const offered = model.last().tools ?? []
    const [committed = '', refused = ''] = textsOf(model.last(), 'tool')

    const asking = await agent('v4-asked')
    model.push(
      { toolCalls: [{ name: 'stablemem_recall', arguments: { query: 'kes-07 nightly jobs', topK: 1 } }] },
      { toolCalls: [{ name: 'stablemem_recall', arguments: { query: 'host zz-99999' } }] },
      { text: 'done' },
    )
    await host.runTurn(asking, 'look it up')
    const [found = '', nothing = ''] = textsOf(model.last(), 'tool')
    return all(
      {
        'commit is offered, with text required': /^text\* source\b/.test(shape(offered, 'stablemem_commit')),
        'recall is offered, with nothing but query required': /^query\* [^*]*\bscope\b[^*]*$/.test(
          shape(offered, 'stablemem_recall'),
        ),
        'the model reads the id of what it committed': /^Remembered as blk_[0-9a-f]{24}\.$/.test(committed),
        'a call without text is an error the model can read, not the end of the turn': /text/.test(refused),
        'the model reads note, place and reason': [
          '<note id="blk_',
          'runbook, jobs/nightly',
          FACT,
          'why: holds kes-07',
        ].every(part => found.includes(part)),
        'what memory does not hold is said to be no record': nothing.includes('no record'),
      },
      `offered ${offered
        .filter(({ function: tool }) => /_(commit|recall)$/.test(tool.name))
        .map(tool => `${tool.function.name}(${shape([tool], tool.function.name)})`)
        .join(', ')}; commit renders "${committed}"; recall renders "${oneLine(found)}"`,
    )
  })
}

/** The parameters of a tool in their order, required ones starred. */
function shape(tools: readonly WireTool[], name: string): string {
  const parameters = tools.find(tool => tool.function.name === name)?.function.parameters as Parameters | undefined
  const required = new Set(parameters?.required)
  return Object.keys(parameters?.properties ?? {})
    .map(key => (required.has(key) ? `${key}*` : key))
    .join(' ')
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ')
}
