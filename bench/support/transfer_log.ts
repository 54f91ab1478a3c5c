import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { genesisToJson } from '../../src/engine/index.ts'
import { defaultGenesis } from '../../src/engine/protocol/genesis.ts'
import { Token } from '../../test/engine/chain/support/token.ts'
import { TestChain } from '../../test/engine/chain/support/test_chain.ts'
import { makeTokenAccounts } from './token_accounts.ts'

const GENESIS_TIME = '2026-01-01T00:00:00.000'

/** Makes a block log of token transfers, each signed, and its genesis, which is not that of a development chain. */
export async function makeTransferLog(
  folder: string,
  count: number,
  transfers: number,
): Promise<{ head: number; bytes: number }> {
  const initial_timestamp = Date.parse(`${GENESIS_TIME}Z`) * 1000
  const genesis = {
    ...(genesisToJson(defaultGenesis()) as object),
    initial_timestamp: GENESIS_TIME,
  }
  writeFileSync(join(folder, 'genesis.json'), JSON.stringify(genesis))
  const chain = await TestChain.open({
    blocks_dir: folder,
    genesis: { ...defaultGenesis(), initial_timestamp },
    sync_blocks: false,
  })
  const token = new Token()
  makeTokenAccounts(chain, token)
  for (let block = 0; block < count; block++) {
    for (let i = 0; i < transfers; i++) {
      const [from, to] = i % 2 ? ['alice', 'bob'] : ['bob', 'alice']
      chain.push([token.transfer(from!, to!, '0.0001 TOK')])
    }
    chain.produce()
  }
  chain.produce(2)
  await chain.chain.close()
  const head = chain.chain.last_irreversible.block_num
  return { head, bytes: statSync(join(folder, 'blocks.log')).size }
}
