import { Writer } from '../../src/engine/protocol/writer.ts'
import { action } from '../../test/engine/chain/support/harness.ts'
import type { TestChain } from '../../test/engine/chain/support/test_chain.ts'
import type { Token } from '../../test/engine/chain/support/token.ts'

/** Makes the accounts token (with the contract), alice and bob; the last two get 1000 TOK each. */
export function makeTokenAccounts(chain: TestChain, token: Token): void {
  for (const name of ['token', 'alice', 'bob']) chain.createAccount(name)
  const contract = (name: string, write: (w: Writer) => void): void => {
    const w = new Writer()
    w.name(action('token', '', '').account)
    write(w)
    chain.push([action('eosio', name, 'token@active', w.bytes())])
  }
  contract('setcode', (w) => {
    w.u8(0)
    w.u8(0)
    w.blob(token.wasm)
  })
  contract('setabi', (w) => w.blob(token.abi_bytes))
  chain.produce()
  const supply = '1000000.0000 TOK'
  chain.push([token.action('create', 'token@active', { issuer: 'token', maximum_supply: supply })])
  const issue = { to: 'token', quantity: supply, memo: '' }
  chain.push([token.action('issue', 'token@active', issue)])
  chain.push([token.transfer('token', 'alice', '1000.0000 TOK')])
  chain.push([token.transfer('token', 'bob', '1000.0000 TOK')])
}
