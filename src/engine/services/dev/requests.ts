/** Requests of the dev group. */
import { asArray, isObject, strictString } from '../../abi/lenient_json.ts'
import type { Body } from '../../contract.ts'
import { ChainError, check, fail } from '../../errors.ts'
import { packAbiText } from '../../json/signed_transaction.ts'
import { assetFromString, type Asset } from '../../protocol/asset.ts'
import { defaultGenesis } from '../../protocol/genesis.ts'
import { fromHex } from '../../protocol/hex.ts'
import { publicKeyFromString, publicKeyToString } from '../../protocol/key.ts'
import { nameFromString, nameToString } from '../../protocol/name.ts'
import { parseTimePoint, timePointToString, type TimePointUs } from '../../protocol/time.ts'
import type { Action } from '../../protocol/transaction.ts'
import { parseParams } from '../../queries/params.ts'
import { TOKEN_ACCOUNT } from '../../queries/system_tables.ts'
import { BLOCK_PRODUCTIONS, type BlockProduction } from '../production/loop/block_production.ts'
import { setAuthorityAction, type NewAccount } from './accounts.ts'
import type { MiningGoal } from './mining.ts'

const MODES: readonly string[] = BLOCK_PRODUCTIONS

/** Reads the mode of set_production_mode. @throws ChainError invalid_http_request for any other */
export function productionModeRequest(body: Body<'set_production_mode'>): BlockProduction {
  return parseParams(body, (p) => {
    const mode = p.string('mode')
    const known = MODES.includes(mode)
    check(known, 'std_exception', `the mode is one of ${MODES.join(', ')}, not "${mode}"`)
    return mode as BlockProduction
  })
}

/** Reads what mine_blocks shall reach; without anything, one block. @throws ChainError invalid_http_request */
export function miningRequest(body: Body<'mine_blocks'>): MiningGoal {
  return parseParams(body, (p) => {
    const blocks = p.optionalUint32('blocks')
    const until_block_num = p.optionalUint32('until_block_num')
    const until_time = p.optionalString('until_time')
    const is_open = until_block_num === undefined && until_time === undefined
    return {
      blocks: blocks ?? (is_open ? 1 : 0),
      until_block_num: until_block_num ?? 0,
      until_time_us: until_time === undefined ? 0 : timeFromText(until_time),
    }
  })
}

/** Reads the time of advance_time, which may be relative to the present one: the later of two, a second later
 *  without any.
 *  @throws ChainError invalid_http_request */
export function timeRequest(body: Body<'advance_time'>): (now_us: number) => number {
  return parseParams(body, (p) => {
    const until = p.optionalString('until')
    const seconds = p.uint32('seconds', until === undefined ? 1 : 0)
    const until_us = until === undefined ? 0 : timeFromText(until)
    return (now_us) => Math.max(until_us, now_us + seconds * 1_000_000)
  })
}

/** Reads the name of a state. @throws ChainError invalid_http_request for one that is not a name of a file */
export function stateRequest(body: Body<'save_state' | 'load_state'>): string {
  return parseParams(body, (p) => {
    const name = strictString(p.raw('name'))
    const is_name = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)
    check(is_name, 'std_exception', 'a name has up to 64 letters, digits, "-" and "_"')
    return name
  })
}

/** Reads a time. The seconds of the reference's parser have 32 bits: a time after 2106 would be one of the past. */
function timeFromText(text: string): TimePointUs {
  const time_us = parseTimePoint(text)
  const is_same = timePointToString(time_us).slice(0, 19) === text.slice(0, 19)
  check(is_same, 'overflow_exception', `Time is out of range: ${text}`)
  return time_us
}

/** Reads the number of a checkpoint. @throws ChainError invalid_http_request */
export function checkpointRequest(body: Body<'go_back_to_checkpoint' | 'drop_checkpoint'>): number {
  return parseParams(body, (p) => p.uint32('checkpoint', 0))
}

/** Reads the account of create_account. @throws ChainError invalid_http_request */
export function newAccountRequest(body: Body<'create_account'>): NewAccount {
  return parseParams(body, (p) => {
    const key = p.optional('key', strictString)
    if (key !== undefined) publicKeyFromString(key)
    const keys = [{ key: key ?? publicKeyToString(defaultGenesis().initial_key), weight: 1 }]
    const authority = { threshold: 1, keys, accounts: [], waits: [] }
    const code = p.optional('code', strictString) ?? ''
    const abi = p.raw('abi') ?? ''
    return {
      name: nameToString(p.name('name')),
      creator: p.has('creator') ? nameToString(p.name('creator')) : 'eosio',
      owner: authority,
      active: authority,
      code: code === '' ? undefined : fromHex(code),
      abi: abi === '' ? undefined : packedAbi(abi),
      ram_bytes: p.optionalUint32('ram_bytes'),
    }
  })
}

/** Reads the action of set_authority. @throws ChainError invalid_http_request */
export function newAuthorityRequest(body: Body<'set_authority'>): Action {
  return parseParams(body, (p) => {
    const permission = p.has('permission') ? nameToString(p.name('permission')) : 'active'
    const usual = permission === 'owner' ? '' : permission === 'active' ? 'owner' : 'active'
    return setAuthorityAction({
      account: nameToString(p.name('account')),
      permission,
      parent: p.has('parent') ? nameToString(p.name('parent')) : usual,
      auth: p.raw('authority'),
    })
  })
}

/** Reads the balance of set_balance. @throws ChainError invalid_http_request */
export function balanceRequest(body: Body<'set_balance'>): {
  contract: bigint
  account: bigint
  quantity: Asset
} {
  return parseParams(body, (p) => {
    const quantity = assetFromString(strictString(p.raw('quantity') ?? null))
    check(quantity.amount >= 0n, 'asset_type_exception', 'a balance is not negative')
    return {
      contract: p.has('contract') ? p.name('contract') : TOKEN_ACCOUNT,
      account: p.name('account'),
      quantity,
    }
  })
}

/** Reads the accounts of act_as. @throws ChainError invalid_http_request */
export function actAsRequest(body: Body<'act_as'>): readonly bigint[] | 'all' {
  return parseParams(body, (p) => {
    const accounts = (p.optional('accounts', asArray) ?? []).map((name) =>
      nameFromString(strictString(name)),
    )
    return p.bool('all') ? 'all' : accounts
  })
}

/** Packs an ABI: an object, or its JSON text. @throws ChainError what is wrong with it */
function packedAbi(abi: unknown): Uint8Array {
  try {
    return packAbiText(isObject(abi) ? JSON.stringify(abi) : strictString(abi))
  } catch (error) {
    if (error instanceof ChainError || error instanceof SyntaxError) {
      fail('parse_error_exception', `the ABI cannot be read: ${error.message}`)
    }
    throw error
  }
}
