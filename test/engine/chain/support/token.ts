import { readFileSync } from 'node:fs'
import { packAbi } from '../../../../src/engine/abi/abi_binary.ts'
import { abiFromJson } from '../../../../src/engine/abi/abi_json.ts'
import { compileAbi } from '../../../../src/engine/abi/compiled_abi.ts'
import type { CompiledAbi } from '../../../../src/engine/abi/compiled_abi.ts'
import type { Action } from '../../../../src/engine/protocol/transaction.ts'
import { action } from './harness.ts'
import type { Harness } from './harness.ts'

const FOLDER = new URL('../../../../node_modules/proton-tsc/external/eosio.token/', import.meta.url)

/** The token contract as everybody deploys it. */
export class Token {
  readonly wasm = new Uint8Array(readFileSync(new URL('eosio.token.wasm', FOLDER)))
  readonly abi: CompiledAbi
  readonly abi_bytes: Uint8Array

  constructor() {
    const json: unknown = JSON.parse(readFileSync(new URL('eosio.token.abi', FOLDER), 'utf8'))
    const def = abiFromJson(json)
    this.abi_bytes = packAbi(def)
    this.abi = compileAbi(def)
  }

  /** Deploys it on an account and issues a million to the account itself. */
  deploy(chain: Harness, account = 'token'): void {
    chain.createAccount(account)
    chain.setCode(account, this.wasm)
    chain.setAbi(account, this.abi_bytes)
    const maximum_supply = '1000000000.0000 TOK'
    const quantity = '1000000.0000 TOK'
    chain.ok([this.action('create', `${account}@active`, { issuer: account, maximum_supply })])
    chain.ok([this.action('issue', `${account}@active`, { to: account, quantity, memo: '' })])
  }

  action(name: string, authorization: string, data: object, account = 'token'): Action {
    const act = action(account, name, authorization)
    return { ...act, data: this.abi.encode(this.abi.actionType(act.name)!, data) }
  }

  transfer(from: string, to: string, quantity: string, memo = ''): Action {
    return this.action('transfer', `${from}@active`, { from, to, quantity, memo })
  }
}
