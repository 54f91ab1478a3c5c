/** Transactions that the nodes of a network relay: each creates an account, which all nodes must get. */
import {
  createMetadata,
  metadataSigningDigest,
} from '../../../src/engine/chain/base/transaction_metadata.ts'
import { publicKeyOf, signDigest } from '../../../src/engine/crypto/keys.ts'
import { fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import { signatureToString } from '../../../src/engine/protocol/key.ts'
import { makePackedTransaction } from '../../../src/engine/protocol/packed_transaction.ts'
import {
  refBlockOf,
  type Action,
  plainTransaction,
} from '../../../src/engine/protocol/transaction.ts'
import { DEVELOPMENT_SECRET, newaccount } from '../../engine/chain/support/test_chain.ts'
import { until } from '../../support/wait.ts'
import type { ChainInfo, ProgramNode } from './program_node.ts'

const LIMIT_MS = 30_000
const EXPIRATION_SEC = 120
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Submits to each node in turn, and looks whether the others have what was submitted. */
export class NewAccounts {
  /** How many accounts all nodes have. */
  arrived = 0
  private submitted = 0
  private readonly expected: { name: string; at: ProgramNode; since: number }[] = []
  private readonly limit_ms: number

  /** @param limit_ms every node must have an account within this time of its submission */
  constructor(limit_ms = LIMIT_MS) {
    this.limit_ms = limit_ms
  }

  /** Creates an account through the next of these nodes. */
  async submit(nodes: readonly ProgramNode[]): Promise<void> {
    const at = nodes[this.submitted % nodes.length]!
    const name = `acc${textOf(this.submitted)}`
    this.submitted += 1
    const actions = [newaccount(name, publicKeyOf(DEVELOPMENT_SECRET))]
    await at.send(signedTransaction(await at.info(), actions))
    this.expected.push({ name, at, since: Date.now() })
  }

  /** Waits until these nodes have all accounts. */
  async arrival(nodes: readonly ProgramNode[]): Promise<void> {
    await until('the accounts on all nodes', async () => {
      await this.check(nodes)
      return this.expected.length === 0
    })
  }

  /** @throws Error if one of these nodes does not have an account in time */
  async check(nodes: readonly ProgramNode[]): Promise<void> {
    while (this.expected[0] !== undefined) {
      const { name, at, since } = this.expected[0]
      const lacks = await firstWithout(nodes, name)
      if (lacks === undefined) {
        this.expected.shift()
        this.arrived += 1
      } else if (Date.now() - since < this.limit_ms) return
      else throw new Error(`${lacks.name} has no account ${name}, which ${at.name} was given`)
    }
  }
}

async function firstWithout(
  nodes: readonly ProgramNode[],
  name: string,
): Promise<ProgramNode | undefined> {
  for (const node of nodes) if (!(await node.hasAccount(name))) return node
  return undefined
}

function textOf(count: number): string {
  let text = ''
  for (let rest = count, i = 0; i < 6; i++, rest = Math.floor(rest / LETTERS.length)) {
    text = LETTERS[rest % LETTERS.length]! + text
  }
  return text
}

/** A transaction of these actions that eosio signs, as send_transaction takes it. */
export function signedTransaction(info: ChainInfo, actions: Action[]): object {
  const trx = {
    expiration: Math.floor(Date.parse(`${info.head_block_time}Z`) / 1000) + EXPIRATION_SEC,
    ...refBlockOf(fromHex(info.last_irreversible_block_id)),
    ...plainTransaction(actions),
  }
  const unsigned = createMetadata(makePackedTransaction(trx, []), 'input')
  const digest = metadataSigningDigest(unsigned, fromHex(info.chain_id))
  const signature = signDigest(DEVELOPMENT_SECRET, digest)
  const { packed_trx } = makePackedTransaction(trx, [signature])
  return {
    signatures: [signatureToString(signature)],
    compression: 'none',
    packed_context_free_data: '',
    packed_trx: toHex(packed_trx),
  }
}
