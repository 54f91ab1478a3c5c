/** Each operation on files goes wrong once, in one way or another; `make crash-faults` tries all ways. */
import { expect } from 'chai'
import { temporaryFolder } from '../support/node_process.ts'
import { CommitFaults, ENDS, FAILURES, type Mishap, type Story } from './commit_faults.ts'

describe('crash: an operation on files goes wrong', () => {
  const folder = temporaryFolder()
  let faults: CommitFaults
  before(async () => {
    faults = await CommitFaults.prepare(folder.path)
  })
  after(() => folder.remove())

  /** Every block does the same, an odd number of operations: each of them fails in one block and ends
   *  the process, or the machine, in another. */
  const mishapOf = (at: number): Mishap =>
    at % 2 === 0 ? FAILURES[(at / 2) % FAILURES.length]! : ENDS[(at * 5) % ENDS.length]!

  async function tryAll(story: Story, step: number): Promise<Set<string>> {
    const count = (await faults.operations(story)).length
    const met = new Set<string>()
    for (let at = 1; at <= count; at += step) met.add(await faults.try(story, at, mishapOf(at)))
    return met
  }

  it('of a chain that goes on: nothing that was announced is lost, and finality goes on', async () => {
    const met = await tryAll('old', 1)
    for (const what of [
      'write blocks/reversible.log',
      'fsync blocks/reversible.log',
      'rename blocks/reversible.log.new',
      'write blocks/blocks.log',
      'write blocks/blocks.index',
      'fsync blocks/blocks.log',
      'commit state',
      'write finalizers/safety.dat.new',
      'rename finalizers/safety.dat.new',
      'fsync finalizers',
    ]) {
      expect([...met]).include(what)
    }
  })

  it('of a new chain: the next start finds a chain, or begins one', async () => {
    const met = await tryAll('new', 5)
    expect([...met].some((what) => what.startsWith('create blocks/'))).equal(true)
  })
}).timeout(300_000)
