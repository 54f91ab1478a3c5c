/**
 * Every operation on files goes wrong in every way: `make crash-faults`. `PART=2/8` runs the second
 * of eight parts of the cases.
 */
import { temporaryFolder } from '../support/node_process.ts'
import { CommitFaults, ENDS, FAILURES, STORIES } from './commit_faults.ts'

const [part, parts] = partOf(process.env.PART ?? '1/1')
const folder = temporaryFolder()
const faults = await CommitFaults.prepare(folder.path)
let number = 0
let failed = 0
for (const story of STORIES) {
  const { length } = await faults.operations(story)
  let cases = 0
  for (let at = 1; at <= length; at++) {
    for (const mishap of [...FAILURES, ...ENDS]) {
      if (number++ % parts !== part - 1) continue
      try {
        if (await faults.try(story, at, mishap)) cases++
      } catch (error) {
        failed++
        console.error(error)
      }
    }
  }
  console.log(`${story} chain: ${length} operations, ${cases} cases, ${failed} failures so far`)
}
folder.remove()
process.exitCode = failed > 0 ? 1 : 0

/** Reads `2/8`. */
function partOf(text: string): [part: number, parts: number] {
  const [, part = 0, parts = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (part < 1 || part > parts) throw new Error(`PART is a part of so many, 2/8, not ${text}`)
  return [part, parts]
}
