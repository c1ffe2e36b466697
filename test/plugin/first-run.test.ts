import { expect, it } from 'vitest'
import { tempDir } from '../support/temp.ts'
import { agentIn, rig } from './rig.ts'

it('the first run tells of detach, and no later one', async () => {
  const home = tempDir()
  const told = ({ host }: Awaited<ReturnType<typeof rig>>) =>
    host.logs.filter(({ type, text }) => type === 'info' && text.includes('dsh-hologram detach'))
  const first = await rig({ home })
  expect(told(first)).toHaveLength(1)
  await first.memory.commit({ text: 'a note' }, { session: (await agentIn(first.host)).session })
  await first.host.stop()
  expect(told(await rig({ home }))).toEqual([])
})
