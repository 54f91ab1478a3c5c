/** Transactions that never end, are signed by nobody, or are only tried, as many as there can be. */
import { Action, PackedTransaction, type SignedTransaction } from '@wharfkit/antelope'
import type { Random } from '../../fuzz/random.ts'
import { Program } from '../../fuzz/program.ts'
import { ask } from '../../support/http.ts'
import { WharfkitChain } from '../../support/wharfkit_chain.ts'
import { SETTERS, dearCode } from './dear_code.ts'
import { GROWER } from './growing_memory.ts'
import { many, type Attack, type Tally, type Target } from '../attack.ts'

const AT_ONCE = 4
const SIGNATURES = 200

/** What the probe contract is made to do, with a number that makes each transaction another. */
function endless(nonce: number): Program {
  return new Program().u8(48).u64(BigInt(nonce)).u8(108).u32(0xffffffff)
}

let chain: WharfkitChain | undefined

async function signed(target: Target, program: Program, actor: string): Promise<SignedTransaction> {
  chain ??= new WharfkitChain(target.url)
  const data = { program: Buffer.from(program.done()).toString('hex') }
  const authorization = [{ actor, permission: 'active' }]
  const run = await chain.action('probe', 'run', actor, data)
  return chain.sign([Action.from({ ...run, authorization })])
}

async function send(target: Target, tally: Tally, operation: string, body: unknown): Promise<void> {
  const { status, body: answer } = await ask(target.url, `/v1/chain/${operation}`, { body })
  const name = (answer as { error?: { name: string } } | undefined)?.error?.name
  const except = (answer as { processed?: { except?: { name: string } } } | undefined)?.processed
    ?.except
  tally.count([status, name, except?.name].filter((part) => part !== undefined).join(' '))
}

/** Contracts that burn CPU until they are stopped, in transactions that are right otherwise. */
const endlessContracts: Attack = {
  name: 'contracts that never end',
  round: many(AT_ONCE, async (target, tally, random) => {
    const trx = await signed(target, endless(random.u32()), random.pick(['mallory', 'oscar']))
    await send(target, tally, 'send_transaction', PackedTransaction.fromSigned(trx, 0))
  }),
}

/** The same as dry runs, which nobody pays for: one transaction asked for again and again. */
const dryRuns: Attack = {
  name: 'dry runs that never end',
  round: async (target, tally, random) => {
    const trx = await signed(target, endless(random.u32()), 'mallory')
    const transaction = PackedTransaction.fromSigned(trx, 0)
    const one = (operation: string) => send(target, tally, operation, { transaction })
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => [
        one('compute_transaction'),
        one('send_read_only_transaction'),
      ]).flat(),
    )
  },
}

/** Memory that shrinks and grows without an end, and is cleared each time. */
const growers: Attack = {
  name: 'memory that shrinks and grows',
  round: async (target, tally, random) => {
    const trx = await signedGrowth(target, random)
    const body = { transaction: PackedTransaction.fromSigned(trx, 0) }
    await Promise.all([
      send(target, tally, 'send_transaction2', body),
      send(target, tally, 'send_read_only_transaction', body),
      send(target, tally, 'compute_transaction', body),
    ])
  },
}

async function signedGrowth(target: Target, random: Random): Promise<SignedTransaction> {
  chain ??= new WharfkitChain(target.url)
  const data = Buffer.alloc(4)
  data.writeUInt32LE(random.u32())
  const authorization = [{ actor: 'mallory', permission: 'active' }]
  return chain.sign([Action.from({ account: GROWER, name: 'grow', authorization, data })])
}

/** Code that costs much before it runs: set by an ordinary account, and run at once. */
const dearCodes: Attack = {
  name: 'code that is dear to prepare',
  round: async (target, tally, random) => {
    chain ??= new WharfkitChain(target.url)
    const account = random.pick(SETTERS)
    const authorization = [{ actor: account, permission: 'active' }]
    const code = Buffer.from(dearCode(random)).toString('hex')
    const setcode = { account, vmtype: 0, vmversion: 0, code }
    const set = await chain.sign([await chain.action('eosio', 'setcode', account, setcode)])
    const data = Buffer.alloc(4)
    data.writeUInt32LE(random.u32())
    const run = await chain.sign([Action.from({ account, name: 'run', authorization, data })])
    for (const trx of [set, run]) {
      await send(target, tally, 'send_transaction', PackedTransaction.fromSigned(trx, 0))
    }
  },
}

/** Signatures that are none of anybody's: keys are recovered before anything else is known. */
const forgeries: Attack = {
  name: 'forged signatures',
  round: async (target, tally, random: Random) => {
    const trx = await signed(target, new Program().u8(48).u64(BigInt(random.u32())), 'mallory')
    const one = () => {
      const packed = PackedTransaction.fromSigned(trx, 0)
      const signature = String(trx.signatures[0])
      const signatures = Array.from({ length: random.once(2) ? SIGNATURES : 2 }, () => signature)
      const packed_trx = `${String(packed.packed_trx)}${random.once(2) ? '00' : ''}`
      const body = { signatures, compression: 0, packed_context_free_data: '', packed_trx }
      return send(target, tally, random.pick(['send_transaction', 'push_transaction']), body)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
  },
}

export const TRANSACTION_ATTACKS: readonly Attack[] = [
  endlessContracts,
  dryRuns,
  growers,
  dearCodes,
  forgeries,
]
