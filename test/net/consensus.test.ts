/** Networks of four and five nodes on legacy consensus, through the transition, and on Savanna. */
import { expect } from 'chai'
import { N, nameToString } from '../../src/engine/protocol/name.ts'
import type { TestNode } from '../support/test_node.ts'
import { SteppedNetwork } from './support/stepped_network.ts'

const NAMES = ['proda', 'prodb', 'prodc', 'prodd']

describe('a network of four producers, from legacy consensus to Savanna', function () {
  let network: SteppedNetwork
  /** The last irreversible block of each node when it was looked at last. */
  const irreversible = new Map<TestNode, { num: number; key: string }>()

  before(async () => {
    network = await SteppedNetwork.start(NAMES)
  })

  after(() => network.remove())

  const root = ({ engine }: TestNode) => engine.chain.last_irreversible
  const hasAccount = ({ engine }: TestNode, name: string) =>
    engine.chain.db.account.find('by_name', N(name)) !== undefined

  /** All nodes have the same head, and no irreversible block was given up. */
  async function agree(): Promise<void> {
    await network.run(
      'the same head on all nodes',
      () => new Set(network.nodes.map(({ engine }) => engine.chain.head.key)).size === 1,
    )
    for (const node of network.nodes) {
      const { chain } = node.engine
      const before = irreversible.get(node)
      if (before !== undefined) {
        expect(root(node).block_num).at.least(before.num)
        expect(Buffer.from(chain.blockIdByNumber(before.num)!).toString('hex')).equal(before.key)
      }
      irreversible.set(node, { num: root(node).block_num, key: root(node).key })
    }
  }

  /** Splits the network in halves that make blocks without each other, and joins them again. */
  async function splitAndHeal(account: string): Promise<void> {
    const [a, , , d] = network.nodes
    network.split(2)
    const before = network.nodes.map((node) => root(node).block_num)
    await network.createAccount(a!, `${account}a`)
    await network.createAccount(d!, `${account}d`)
    await network.blocks(26)
    expect([hasAccount(a!, `${account}d`), hasAccount(d!, `${account}a`)]).deep.equal([
      false,
      false,
    ])
    // No half can make much irreversible: what was on its way alone.
    network.nodes.forEach((node, i) =>
      expect(root(node).block_num).within(before[i]!, before[i]! + 24),
    )
    network.heal(2)
    await network.blocks(3)
    await agree()
    // The transactions of the blocks that were given up are executed again.
    await network.run('both accounts on all nodes', () =>
      network.nodes.every(
        (node) => hasAccount(node, `${account}a`) && hasAccount(node, `${account}d`),
      ),
    )
    await network.run('what was made apart is irreversible', () =>
      network.nodes.every((node) => root(node).block_num > before[0]! + 26),
    )
    await agree()
  }

  it('producers make blocks in turn, which become irreversible', async () => {
    const producers = new Set<string>()
    await network.run('blocks of all', () => {
      producers.add(nameToString(network.nodes[0]!.engine.chain.head.producer))
      return NAMES.every((name) => producers.has(name))
    })
    const head = network.nodes[0]!.head_block_num
    await network.run('they are irreversible', () =>
      network.nodes.every((node) => root(node).block_num >= head),
    )
    expect(network.nodes[0]!.engine.chain.head.savanna).equal(undefined)
    await agree()
    // A producer begins its turn with the last block of the one before, without a word about waiting for it.
    const complaints = network.nodes.flatMap(({ log }) =>
      log.filter((line) => line.includes('not producing')),
    )
    expect(complaints).deep.equal([])
  })

  it('halves that were apart agree again, on legacy consensus', () => splitAndHeal('one'))

  it('all nodes come to Savanna at the same block', async () => {
    await network.proposeFinalizers(network.nodes[1]!)
    await network.run('Savanna on all nodes', () =>
      network.nodes.every(({ engine }) => engine.chain.head.is_proper_savanna),
    )
    await agree()
    const head = network.nodes[0]!.head_block_num
    await network.run('finality', () => network.nodes.every((node) => root(node).block_num >= head))
    // Two blocks of certificates, and those that are on their way.
    expect(network.nodes[0]!.head_block_num).lessThan(head + 12)
  })

  it('a late node in the read mode irreversible follows through all of it', async () => {
    const late = await network.add([...network.fromGenesis, '--read-mode=irreversible'])
    await network.blocks(1)
    const wanted = network.nodes[0]!.head_block_num
    await network.run('it has what the others have', () => root(late).block_num >= wanted)
    const { chain } = late.engine
    expect(chain.head.key).equal(root(late).key)
    expect(chain.blockIdByNumber(wanted)).deep.equal(
      network.nodes[0]!.engine.chain.blockIdByNumber(wanted),
    )
    await network.drop(late)
  })

  it('halves that were apart agree again, on Savanna', () => splitAndHeal('two'))
})
