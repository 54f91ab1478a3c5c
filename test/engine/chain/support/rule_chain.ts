import { initializeDatabase } from '../../../../src/engine/chain/rules/genesis.ts'
import type { NativeContext } from '../../../../src/engine/chain/execution/native/native_context.ts'
import { addPendingRamUsage } from '../../../../src/engine/chain/rules/resource_limits.ts'
import { nativeActions } from '../../../../src/engine/chain/execution/native.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { packAuthority } from '../../../../src/engine/protocol/authority.ts'
import type { Authority, PermissionLevel } from '../../../../src/engine/protocol/authority.ts'
import { defaultGenesis } from '../../../../src/engine/protocol/genesis.ts'
import type { GenesisState } from '../../../../src/engine/protocol/genesis.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import type { Action } from '../../../../src/engine/protocol/transaction.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { createDatabase } from '../../../../src/engine/state/database.ts'
import type { Database } from '../../../../src/engine/state/database.ts'
import type { BuiltinFeatureName } from '../../../../src/engine/protocol/features.ts'

/** Id of block 1 in these tests. */
export const GENESIS_ID = new Uint8Array(32).fill(1)

/** A K1 key that differs by its last byte. */
export function testKey(n: number): Uint8Array {
  return Uint8Array.from([0, 2, ...new Array<number>(31).fill(0), n])
}

/** `alice@active`; nothing after the @ is the empty name. */
export function level(text: string): PermissionLevel {
  const [actor = '', permission = ''] = text.split('@')
  return { actor: N(actor), permission: N(permission) }
}

/** An authority of keys and accounts of weight 1 each. */
export function authorityOf(...factors: (Uint8Array | string)[]): Authority {
  const keys = factors.filter((factor) => typeof factor !== 'string')
  const accounts = factors.filter((factor) => typeof factor === 'string')
  return {
    threshold: 1,
    keys: keys.map((key) => ({ key, weight: 1 })),
    accounts: accounts.map((text) => ({ permission: level(text), weight: 1 })),
    waits: [],
  }
}

type Field = string | number | Uint8Array | Authority

/** Packs an action's fields: names, u8, bytes with their length, authorities. */
export function packFields(...fields: Field[]): Uint8Array {
  const writer = new Writer()
  for (const field of fields) {
    if (typeof field === 'string') writer.name(N(field))
    else if (typeof field === 'number') writer.u8(field)
    else if (field instanceof Uint8Array) writer.blob(field)
    else packAuthority(writer, field)
  }
  return writer.bytes()
}

/** An action of eosio with one authorization. */
export function systemAction(name: string, authorization: string, ...fields: Field[]): Action {
  return {
    account: N('eosio'),
    name: N(name),
    authorization: authorization === '' ? [] : [level(authorization)],
    data: packFields(...fields),
  }
}

/** 65,536 rows of genesis take a while; tests of the default genesis share them. */
let shared: Database | undefined

/** A chain's database and rules without blocks: native actions run on it one by one. */
export class RuleChain {
  readonly db: Database
  readonly genesis: GenesisState
  readonly features = new Set<BuiltinFeatureName>()
  readonly blacklisted = new Set<string>()
  readonly cancelled: bigint[] = []
  read_only = false
  block_num = 2
  block_time_us = 1_600_000_000_000_000
  refuse_code: string | undefined

  /** Without a genesis the state of the last such chain is taken back and used again. */
  constructor(genesis?: GenesisState) {
    this.genesis = genesis ?? defaultGenesis()
    if (genesis === undefined && shared !== undefined) {
      this.db = shared
      shared.undoAll()
    } else {
      this.db = createDatabase()
      initializeDatabase(this.db, this.genesis, GENESIS_ID)
      if (genesis === undefined) shared = this.db
    }
    this.db.startSession()
  }

  isActivated(feature: BuiltinFeatureName): boolean {
    return this.features.has(feature)
  }

  isFeatureActivated(feature: BuiltinFeatureName): boolean {
    return this.features.has(feature)
  }

  checktime(): void {}

  /** Runs a native action; all or nothing, as a transaction. */
  apply(act: Action): void {
    const session = this.db.startSession()
    try {
      nativeActions.get(act.name)?.(this.context(act))
    } catch (error) {
      session.undo()
      throw error
    }
    session.squash()
  }

  /** Creates an account whose owner and active permission are one key. */
  newAccount(name: string, key = testKey(1)): void {
    this.run('newaccount', 'eosio@active', 'eosio', name, authorityOf(key), authorityOf(key))
  }

  run(name: string, authorization: string, ...fields: Field[]): void {
    this.apply(systemAction(name, authorization, ...fields))
  }

  ram(account: string): number {
    return Number(this.db.resource_usage.get('by_owner', N(account)).ram_usage)
  }

  private context(act: Action): NativeContext {
    const { db, blacklisted, cancelled, refuse_code } = this
    return {
      db,
      act,
      read_only: this.read_only,
      block_num: this.block_num,
      block_time_us: this.block_time_us,
      isFeatureActivated: (feature) => this.features.has(feature),
      requireAuth: (account) => {
        if (act.authorization.some(({ actor }) => actor === account)) return
        throw new ChainError('missing_auth_exception', 'missing authority')
      },
      addRamUsage: (account, delta) => addPendingRamUsage(db, account, delta),
      validateCode: () => {
        if (refuse_code) throw new ChainError('wasm_serialization_error', refuse_code)
      },
      checkKey: (key) => {
        if (blacklisted.has(key.join())) throw new ChainError('key_blacklist_exception', 'no')
      },
      cancelDelayed: (sender_id) => cancelled.push(sender_id) > 0,
    }
  }
}
