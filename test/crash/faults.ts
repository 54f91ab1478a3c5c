/** Every operation on files goes wrong in every way: `make crash-faults`. */
import { temporaryFolder } from '../support/node_process.ts'
import { CommitFaults, ENDS, FAILURES } from './commit_faults.ts'

const folder = temporaryFolder()
const faults = await CommitFaults.prepare(folder.path)
for (const story of ['old', 'new'] as const) {
  const { length } = await faults.operations(story)
  let cases = 0
  for (let at = 1; at <= length; at++) {
    for (const mishap of [...FAILURES, ...ENDS]) {
      await faults.try(story, at, mishap)
      cases++
    }
  }
  console.log(`${story} chain: ${length} operations, ${cases} cases, nothing lost`)
}
folder.remove()
