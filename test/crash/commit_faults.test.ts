/** Each kind of operation on files goes wrong; `make crash-faults` lets each go wrong in all ways. */
import { expect } from 'chai'
import { temporaryFolder } from '../support/node_process.ts'
import { CommitFaults, ENDS, FAILURES, type Mishap, type Story } from './commit_faults.ts'

/** Other logs of history are written in the same way, and what a split block log does as one that is not. */
const WRITTEN_ALIKE = /chain_state|finality_data|^(open|write|fsync|ftruncate) blocks/

describe('crash: an operation on files goes wrong', function () {
  this.timeout(280_000)
  const folder = temporaryFolder()
  let faults: CommitFaults
  let of_old: readonly string[]
  before(async () => {
    faults = await CommitFaults.prepare(folder.path)
    of_old = await faults.operations('old')
  })
  after(() => folder.remove())

  const first = async (story: Story, kind: string, mishap: Mishap): Promise<void> => {
    expect(await faults.try(story, { kind, nth: 1 }, mishap), kind).equal(true)
  }

  /** The last of its kind: there may be fewer of them than there were before. */
  const last = async (kind: string, mishap: Mishap): Promise<void> => {
    let nth = of_old.filter((done) => done === kind).length
    while (!(await faults.try('old', { kind, nth }, mishap))) {
      expect(--nth, `there is no ${kind}`).greaterThan(0)
    }
  }

  it('of a continued chain: no announced block is lost, and finality continues', async () => {
    const kinds = [...new Set(of_old)]
    expect(kinds).include.members([
      'write blocks/reversible.log',
      'fsync blocks/reversible.log',
      'rename blocks/reversible.log.new',
      'write blocks/blocks.log',
      'write blocks/blocks.index',
      'fsync blocks/blocks.log',
      'commit state',
      'write state-history/trace_history.log',
      'write state-history/chain_state_history.index',
      'fsync state-history/finality_data_history.log',
      'write traces/trace_index_0000000005-0000000010.log',
      'fsync traces/trace_0000000005-0000000010.log',
      'write finalizers/safety.dat.new',
      'rename finalizers/safety.dat.new',
      'fsync finalizers',
    ])
    for (const [i, kind] of kinds.entries()) {
      await first('old', kind, FAILURES[i % FAILURES.length]!)
    }
  })

  it('of a continued chain, and the process or the machine ends: the same', async () => {
    for (const [i, kind] of [...new Set(of_old)].entries()) {
      await last(kind, ENDS[(i * 5) % ENDS.length]!)
    }
  })

  it('of a new chain, and the process ends after it looked for a file that does not exist', async () => {
    await first('new', 'open blocks/reversible.log', { fault: 'after' })
  })

  it('of a chain whose logs of blocks and of state history are split: all blocks are in the logs', async () => {
    const operations = await faults.operations('split')
    const kinds = [...new Set(operations)].filter(
      (kind) => !of_old.includes(kind) && !WRITTEN_ALIKE.test(kind),
    )
    expect(kinds).include('open state-history/retained/trace_history-2-8.log')
    expect(kinds).include('rename blocks/blocks.log')
    for (const [i, kind] of kinds.entries()) {
      const ways = i % 2 === 0 ? ENDS : FAILURES
      await first('split', kind, ways[(i * 3) % ways.length]!)
    }
  })

  it('of a chain that removes old files of its block log', async () => {
    const operations = await faults.operations('few')
    const removals = [...new Set(operations)].filter((kind) => kind.startsWith('rm blocks/blocks-'))
    expect(removals).not.empty
    for (const kind of removals) {
      await first('few', kind, { fault: 'before' })
      await first('few', kind, { fault: 'EACCES', lasting: true })
    }
  })

  it('of a chain whose logs are split, and the power fails between the syncs of two folders', async () => {
    const power_cut = { names: 'synced', tail: 'none' } as const
    await first('split', 'fsync state-history/retained', { fault: 'after', power_cut })
  })

  describe('of a chain whose old history is pruned and compressed', () => {
    let kinds: readonly string[]
    before(async () => {
      kinds = [...new Set(await faults.operations('pruned'))].filter(
        (kind) => !of_old.includes(kind) && !WRITTEN_ALIKE.test(kind),
      )
      expect(kinds).include.members([
        'create traces/trace_0000000000-0000000005.clog.new',
        'rename traces/trace_0000000000-0000000005.clog.new',
        'rm traces/trace_0000000000-0000000005.log',
        'rm traces/trace_index_0000000000-0000000005.log',
        'rm traces/trace_0000000000-0000000005.clog',
        'create state-history/trace_history.log.new',
        'rename state-history/trace_history.index.new',
        'punch state-history/trace_history.log',
        'rename blocks/recent.log',
      ])
    })

    it('and it happens while a block is written: no announced block is lost', async () => {
      const log = 'write state-history/trace_history.log'
      const all = await faults.operations('pruned')
      const written = all.filter((kind) => kind === log).length
      // An entry with its trailer, then the trailer of fewer blocks, after three writes of the start.
      expect(written).greaterThan(5)
      const cut = { names: 'all', tail: 'half' } as const
      for (const nth of [4, 5]) {
        await faults.try('pruned', { kind: log, nth }, { fault: 'within' })
        await faults.try('pruned', { kind: log, nth }, { fault: 'after', power_cut: cut })
        await faults.try('pruned', { kind: log, nth }, { fault: 'short' })
      }
    })

    it('and it is refused: the blocks that are kept can be read', async () => {
      for (const [i, kind] of kinds.entries()) {
        await first('pruned', kind, FAILURES[i % FAILURES.length]!)
      }
    })

    it('and the process or the machine ends: the same', async () => {
      for (const [i, kind] of kinds.entries()) {
        await first('pruned', kind, ENDS[(i * 5) % ENDS.length]!)
      }
    })
  })

  it('of a new chain: the next start finds a chain, or begins one', async () => {
    const operations = await faults.operations('new')
    const kinds = [...new Set(operations)].filter((kind) => !of_old.includes(kind))
    expect(kinds).include.members([
      'create blocks/blocks.log.new',
      'rename blocks/blocks.log.new',
      'create traces/trace_0000000000-0000000005.log',
    ])
    for (const [i, kind] of kinds.entries()) {
      const ways = i % 2 === 0 ? FAILURES : ENDS
      await first('new', kind, ways[(i * 3) % ways.length]!)
    }
  })

  it('a power cut after the work leaves all of it, also the names of new files', async () => {
    const kind = 'write blocks/reversible.log'
    // How often files are synced varies, but not what is written.
    const nth = (await faults.operations('new')).filter((done) => done === kind).length
    const power_cut = { names: 'synced', tail: 'none' } as const
    expect(await faults.try('new', { kind, nth }, { fault: 'before', power_cut })).equal(true)
  })
})
