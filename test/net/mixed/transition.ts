/**
 * Two producers and two finalizers of each program, from legacy consensus to Savanna; then both programs are apart
 * twice, and each gives up a branch once. Finality needs both.
 */
import { setFinalizers } from '../../engine/chain/support/privileged_contract.ts'
import { policyOf } from '../../engine/chain/voting/support.ts'
import { until } from '../../support/wait.ts'
import type { TestNetwork } from '../support/network.ts'
import { NewAccounts, signedTransaction } from './new_accounts.ts'
import type { ProgramNode } from './program_node.ts'

/** The producers of {@link passTransition}, whose finalizers have the same numbers. */
export const FOUR_PRODUCERS = ['proda', 'prodb', 'prodc', 'prodd']
/** Legacy consensus leaves more blocks reversible with four producers, Savanna fewer. */
const NEAR = 12
const BRANCH_BLOCKS = 8
/** What was in a branch that is given up waits for the next turn of the producers that took it. */
const AFTER_FORK_MS = 100_000
/** So much newer the head of a branch is that is to win. */
const NEWER_MS = 1000

/**
 * @param network of {@link FOUR_PRODUCERS}, before the transition
 * @param options of every node
 * @throws Error if the nodes disagree, or what is expected does not happen
 */
export async function passTransition(
  network: TestNetwork,
  own: readonly ProgramNode[],
  reference: readonly ProgramNode[],
  options: readonly string[],
  say: (text: string) => void,
): Promise<void> {
  const nodes = [...own, ...reference]
  const accounts = new NewAccounts(AFTER_FORK_MS)
  for (const [i, node] of nodes.entries()) {
    const argv = i === 0 ? network.withChain : network.fromGenesis
    await node.start([...argv, ...network.producing(i), ...options], nodes.slice(0, i))
  }
  await agree(nodes)
  say('two producers of each on legacy consensus: done')
  const last = nodes.at(-1)!
  const finalizers = setFinalizers(policyOf(1, [1, 2, 3, 4]))
  await last.send(signedTransaction(await last.info(), finalizers))
  await until('finality near the head on all nodes', async () => {
    const infos = await Promise.all(nodes.map((node) => node.info()))
    return infos.every((at) => at.head_block_num - at.last_irreversible_block_num < NEAR)
  })
  await agree(nodes)
  say('the transition to Savanna: done')
  for (const [losing, winning] of [
    [own, reference],
    [reference, own],
  ] as const) {
    for (const to of own) for (const from of reference) await from.disconnect(to)
    await branches(losing, winning, () => accounts.submit(nodes))
    for (const to of own) for (const from of reference) await from.connect(to)
    await agree(nodes)
    await accounts.arrival(nodes)
    say(`a branch of ${losing[0]!.name} and its like was given up: done`)
  }
}

/** Lets both sides make blocks, until one side's head is newer. */
async function branches(
  losing: readonly ProgramNode[],
  winning: readonly ProgramNode[],
  submit: () => Promise<void>,
): Promise<void> {
  const sides = [losing[0]!, winning[0]!]
  const infos = (): Promise<Awaited<ReturnType<ProgramNode['info']>>[]> =>
    Promise.all(sides.map((node) => node.info()))
  const first = await infos()
  for (let i = 0; i < losing.length + winning.length; i++) await submit()
  await until('blocks of both, those that are to win the newest', async () => {
    const heads = await infos()
    const long = heads.every(
      (at, i) => at.head_block_num > first[i]!.head_block_num + BRANCH_BLOCKS,
    )
    const [lost, won] = heads.map((at) => Date.parse(`${at.head_block_time}Z`))
    return long && won! >= lost! + NEWER_MS
  })
}

/** Waits until a block that is not yet made is irreversible on all nodes, and compares all up to it. */
async function agree(nodes: readonly ProgramNode[]): Promise<void> {
  const heads = await Promise.all(nodes.map((node) => node.info()))
  const wanted = Math.max(...heads.map((at) => at.head_block_num)) + 1
  await until(`block ${wanted} is irreversible on all nodes`, async () => {
    const infos = await Promise.all(nodes.map((node) => node.info()))
    return infos.every((at) => at.last_irreversible_block_num >= wanted)
  })
  for (let n = 2; n <= wanted; n++) {
    const ids = await Promise.all(nodes.map(async (node) => (await node.block(n)).id))
    if (new Set(ids).size > 1) throw new Error(`the nodes have other blocks ${n}: ${ids.join()}`)
  }
}
