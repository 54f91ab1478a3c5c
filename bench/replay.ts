/**
 * How fast block logs are replayed: `node --import tsx bench/replay.ts [blocks] [transfers a block]`.
 * The recorded chain of the tests is short and full of setcode, failures of budgets and BLS
 * certificates; the chain of transfers is what a busy chain looks like.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chain } from '../src/engine/chain/chain.ts'
import type { ChainOptions } from '../src/engine/chain/chain_options.ts'
import { RECORDED_LOG } from '../test/engine/chain/support/recorded_chain.ts'
import { NoStore } from '../src/engine/store/no_store.ts'
import { TestChain } from '../test/engine/chain/support/test_chain.ts'
import { Token } from '../test/engine/chain/support/token.ts'
import { makeTokenAccounts } from './support/token_accounts.ts'

const BLOCKS = Number(process.argv[2] ?? 100)
const TRANSFERS = Number(process.argv[3] ?? 200)
const ROUNDS = 5

/** Replays a log several times in one process, as the first one warms the compiler. */
async function report(name: string, options: ChainOptions): Promise<void> {
  let best = Infinity
  let first = 0
  let blocks = 0
  let transactions = 0
  for (let round = 0; round < ROUNDS; round++) {
    const onReplay: ChainOptions['onReplay'] = (progress) => ({ transactions } = progress)
    const began = performance.now()
    const deps = { store: new NoStore(), now: () => performance.now() * 1000 }
    const chain = await Chain.open({ ...options, onReplay }, deps)
    const seconds = (performance.now() - began) / 1000
    blocks = chain.head.block_num - 1
    await chain.close()
    if (round === 0) first = seconds
    best = Math.min(best, seconds)
  }
  console.log(
    `${name.padEnd(44)} ${rate(blocks / best)} blocks/s ${rate(transactions / best)} trx/s ` +
      `(first ${rate(blocks / first)} and ${rate(transactions / first)})`,
  )
}

function rate(value: number): string {
  return Math.round(value).toLocaleString('en').padStart(7)
}

/** A block log of token transfers, each signed. */
async function makeTransfers(blocks_dir: string): Promise<void> {
  const chain = await TestChain.open({ blocks_dir })
  const token = new Token()
  makeTokenAccounts(chain, token)
  for (let block = 0; block < BLOCKS; block++) {
    for (let i = 0; i < TRANSFERS; i++) {
      const [from, to] = i % 2 ? ['alice', 'bob'] : ['bob', 'alice']
      chain.push([token.transfer(from!, to!, '0.0001 TOK')])
    }
    chain.produce()
  }
  chain.produce(2)
  await chain.chain.close()
}

const folder = mkdtempSync(join(tmpdir(), 'pronghorn-replay-'))
try {
  await makeTransfers(folder)
  const replay = join(folder, 'blocks.log')
  await report(`${BLOCKS} blocks of ${TRANSFERS} transfers`, { replay })
  await report('the same, every signature checked', { replay, force_all_checks: true })
  await report('the recorded chain', { replay: RECORDED_LOG })
} finally {
  rmSync(folder, { recursive: true })
}
