import { expect } from 'chai'
import fc from 'fast-check'
import { IncrementalMerkleLegacy } from '../../../../src/engine/crypto/merkle.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import type { SignedBlock } from '../../../../src/engine/protocol/block.ts'
import { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { compareBranches } from '../../../../src/engine/chain/forks/compare_branches.ts'
import { ForkDatabase } from '../../../../src/engine/chain/forks/fork_database.ts'
import { genesisCore } from '../../../../src/engine/chain/headers/savanna/finality_core.ts'
import type { SavannaHeaderState } from '../../../../src/engine/chain/headers/savanna/header_state.ts'

/** A block of the given number and irreversible number; `tag` makes its id its own. */
function block(block_num: number, tag: number, previous: Uint8Array, lib = 0): BlockState {
  const id = new Uint8Array(32)
  new DataView(id.buffer).setUint32(0, block_num)
  new DataView(id.buffer).setUint32(28, tag)
  const schedule = { version: 0, producers: [] }
  const header: SignedBlock = {
    timestamp: block_num,
    producer: 1n,
    confirmed: 0,
    previous,
    transaction_mroot: new Uint8Array(32),
    action_mroot: new Uint8Array(32),
    schedule_version: 0,
    header_extensions: [],
    producer_signature: new Uint8Array(66),
    transactions: [],
    block_extensions: [],
  }
  const state = new BlockState(
    {
      legacy: {
        block_num,
        dpos_proposed_irreversible_blocknum: lib,
        dpos_irreversible_blocknum: lib,
        active_schedule: schedule,
        blockroot_merkle: new IncrementalMerkleLegacy(),
        producer_to_last_produced: new Map(),
        producer_to_last_implied_irb: new Map(),
        valid_block_signing_authority: [0, { threshold: 0, keys: [] }],
        confirm_count: new Uint8Array(0),
        id,
        header,
        pending_schedule: { schedule_lib_num: 0, schedule_hash: new Uint8Array(32), schedule },
        activated_protocol_features: [],
        additional_signatures: [],
      },
    },
    header,
    new Uint8Array(0),
  )
  state.validated = true
  return state
}

const ROOT = block(5, 0, new Uint8Array(32))

function fork(): { forks: ForkDatabase; a: BlockState[]; b: BlockState[] } {
  const forks = new ForkDatabase(ROOT)
  const a = [block(6, 1, ROOT.id)]
  a.push(block(7, 2, a[0]!.id))
  const b = [block(6, 3, ROOT.id)]
  b.push(block(7, 4, b[0]!.id), block(8, 5, block(7, 4, b[0]!.id).id))
  return { forks, a, b }
}

describe('branches of Savanna', () => {
  /** The latest claim and the own time are slots. */
  const ending = (claim: number, own: number, id: number): SavannaHeaderState => {
    const core = genesisCore(new Uint8Array(32), claim)
    return { core, header: { timestamp: own }, id: Uint8Array.of(id) } as SavannaHeaderState
  }

  it('compare the time of the latest claim, then their own, then their ids', () => {
    const worst_first = [ending(1, 9, 9), ending(2, 5, 8), ending(2, 6, 7), ending(2, 6, 8)]
    for (const [i, a] of worst_first.entries()) {
      for (const [j, b] of worst_first.entries()) {
        expect(Math.sign(compareBranches(a, b)), `${i} and ${j}`).equal(Math.sign(i - j))
      }
    }
  })
})

describe('ForkDatabase', () => {
  it('has blocks that know whether they are of Savanna', () => {
    expect(() => ROOT.savanna_state).to.throw('block 5 is a legacy block')
  })

  it('follows the best branch and reports changes', () => {
    const { forks, a, b } = fork()
    expect(forks.head).to.equal(ROOT)
    expect(forks.add(a[0]!)).to.equal('appended')
    expect(forks.add(a[1]!)).to.equal('appended')
    expect(forks.add(b[0]!)).to.equal('added')
    expect(forks.add(b[0]!)).to.equal('duplicate')
    // The same height: the greater id wins.
    expect(forks.add(b[1]!)).to.equal('fork_switch')
    expect(forks.add(b[2]!)).to.equal('appended')
    expect(forks.head).to.equal(b[2])
    expect(forks.size).to.equal(5)
  })

  it('prefers the branch that makes more irreversible to a longer one', () => {
    const { forks, a, b } = fork()
    for (const each of [...a, ...b]) forks.add(each)
    const short = block(7, 9, a[0]!.id, 6)
    expect(forks.add(short)).to.equal('fork_switch')
    expect(forks.head).to.equal(short)
  })

  it('refuses what does not link', () => {
    const { forks, b } = fork()
    expect(() => forks.add(b[1]!)).to.throw(ChainError, 'unlinkable')
  })

  it('gives the branches from the common ancestor', () => {
    const { forks, a, b } = fork()
    for (const each of [...a, ...b]) forks.add(each)
    const [first, second] = forks.branchesFrom(b[2]!.id, a[1]!.id)
    expect(first).to.deep.equal([b[2], b[1], b[0]])
    expect(second).to.deep.equal([a[1], a[0]])
    expect(forks.branchesFrom(b[2]!.id, b[0]!.id)).to.deep.equal([[b[2], b[1]], []])
    expect(forks.branchesFrom(ROOT.id, a[0]!.id)).to.deep.equal([[], [a[0]]])
    expect(() => forks.branchesFrom(new Uint8Array(32), ROOT.id)).to.throw('does not exist')
  })

  it('finds blocks by number on a branch, the root on all', () => {
    const { forks, a, b } = fork()
    for (const each of [...a, ...b]) forks.add(each)
    expect(forks.onBranch(a[1]!.id, 6)).to.equal(a[0])
    expect(forks.onBranch(b[2]!.id, 6)).to.equal(b[0])
    expect(forks.onBranch(b[2]!.id, 5)).to.equal(ROOT)
    expect(forks.onBranch(b[2]!.id, 9)).to.equal(undefined)
    expect(forks.onBranch(b[2]!.id, 4)).to.equal(undefined)
  })

  it('finds the last block on a branch of which something holds, down to the root, which it omits', () => {
    const { forks, a, b } = fork()
    for (const each of [...a, ...b]) forks.add(each)
    const asked: BlockState[] = []
    const last = (id: Uint8Array, ...wanted: BlockState[]) =>
      forks.lastOnBranch(id, (each) => asked.push(each) > 0 && wanted.includes(each))
    expect(last(b[2]!.id, b[0]!, a[0]!, ROOT)).to.equal(b[0])
    expect(asked).to.have.ordered.members([b[2], b[1], b[0]])
    expect(last(b[2]!.id, a[0]!, ROOT)).to.equal(undefined)
    expect(last(a[1]!.id, b[0]!, a[1]!, a[0]!)).to.equal(a[1])
    expect(last(ROOT.id, ROOT)).to.equal(undefined)
    forks.advanceRoot(b[0]!.id)
    expect(last(b[2]!.id, b[0]!, ROOT)).to.equal(undefined)
    expect(last(b[2]!.id, b[1]!)).to.equal(b[1])
    // The blocks before the root are not kept in memory.
    expect(forks.root.parent).to.equal(undefined)
  })

  it('removes a block with all that build on it', () => {
    const { forks, a, b } = fork()
    for (const each of [...a, ...b]) forks.add(each)
    forks.remove(b[1]!.id)
    expect(forks.ascending()).to.have.members([a[0], a[1], b[0]])
    expect(forks.head).to.equal(a[1])
    forks.remove(a[0]!.id)
    expect(forks.head).to.equal(b[0])
  })

  it('forgets other branches when the root moves', () => {
    const { forks, a, b } = fork()
    for (const each of [...a, ...b]) forks.add(each)
    forks.advanceRoot(b[0]!.id)
    expect(forks.root).to.equal(b[0])
    expect(forks.ascending()).to.deep.equal([b[1], b[2]])
    expect(forks.get(a[0]!.id)).to.equal(undefined)
    forks.advanceRoot(b[2]!.id)
    expect(forks.head).to.equal(b[2])
    expect(forks.size).to.equal(0)
  })

  it('does not make an unvalidated block the root', () => {
    const { forks, a } = fork()
    a[0]!.validated = false
    forks.add(a[0]!)
    expect(() => forks.advanceRoot(a[0]!.id)).to.throw(ChainError, 'validated')
  })

  it('keeps its best block the best of all, whatever is added and removed', () => {
    const step = fc.record({ parent: fc.nat(), lib: fc.nat(3), remove: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const forks = new ForkDatabase(ROOT)
        steps.forEach(({ parent, lib, remove }, tag) => {
          const all = [ROOT, ...forks.ascending()]
          const on = all[parent % all.length]!
          if (remove && on !== ROOT) forks.remove(on.id)
          else forks.add(block(on.block_num + 1, tag, on.id, lib))
        })
        const rank = (b: BlockState): string =>
          `${b.irreversible_block_num}/${String(b.block_num).padStart(5, '0')}/${b.key}`
        const ranks = forks.ascending().map(rank).sort()
        if (ranks.length === 0) expect(forks.head).to.equal(ROOT)
        else expect(rank(forks.head)).to.equal(ranks.at(-1))
        for (const each of forks.ascending())
          expect(forks.get(each.previous)).to.not.equal(undefined)
      }),
    )
  })
})
