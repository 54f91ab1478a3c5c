/** The whole story: every example of the contract, asked of nodes whose chains are the same each time. */
import { join } from 'node:path'
import { temporaryFolder } from '../../support/node_process.ts'
import { control } from './control.ts'
import { developmentChain } from './development_chain.ts'
import { formerChain } from './former_chain.ts'
import { reads } from './reads.ts'
import { ContextReader } from './story.ts'
import { submissions } from './submissions.ts'

export async function tell(): Promise<ContextReader> {
  const { path: folder, remove } = temporaryFolder()
  const story = new ContextReader(folder)
  try {
    const on = await developmentChain(folder)
    try {
      await submissions(story, on)
      await reads(story, on)
      await control(story, on)
    } finally {
      await on.node.stop()
    }
    await formerChain(story, join(folder, 'former'))
  } finally {
    remove()
  }
  return story
}
