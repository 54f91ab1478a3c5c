import type { Body } from '../contract.ts'
import { bytesToText } from '../protocol/text.ts'
import type { AbiDef } from '../abi/abi_def.ts'
import { abiHash } from '../abi/abi_hash.ts'
import { hashFromJson } from '../abi/hex_bytes.ts'
import { check, rethrowAs } from '../errors.ts'
import { unknownAccount } from '../chain/base/unknown_key.ts'
import * as codes from '../chain/rules/codes.ts'
import { failAccountQuery } from './account_query.ts'
import { bytesEqual, toBase64, toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import type { Account, AccountMetadata } from '../state/rows.ts'
import { parseParams } from './params.ts'
import type { StateChain } from './query.ts'
import { abisOf } from './query.ts'

function accountRow(chain: StateChain, account: bigint, what: string): Account {
  return (
    chain.db.account.find('by_name', account) ?? failAccountQuery(what, unknownAccount(account))
  )
}

function metadataRow(chain: StateChain, account: bigint, what: string): AccountMetadata {
  return (
    chain.db.account_metadata.find('by_name', account) ??
    failAccountQuery(what, unknownAccount(account))
  )
}

/** The account's code; no bytes without one. */
function codeOf(chain: StateChain, row: AccountMetadata): Uint8Array {
  if (!codes.hasCode(row)) return new Uint8Array(0)
  return codes.getCode(chain.db, row).code
}

/** The account's ABI as a part of an answer: empty if it has none. */
function abiPart(chain: StateChain, row: Account, what: string): { abi?: AbiDef } {
  const def: AbiDef | undefined = rethrowAs(
    'account_query_exception',
    `unable to retrieve account ${what}`,
    () => abisOf(chain).def(row.abi),
  )
  return def ? { abi: def } : {}
}

/** `{account_name}` -> `{account_name, abi?}`. */
export function getAbi(chain: StateChain, params: Body<'get_abi'>) {
  const account = parseParams(params, (p) => p.name('account_name'))
  const row = accountRow(chain, account, 'abi')
  return { account_name: nameToString(account), ...abiPart(chain, row, 'abi') }
}

/** `{account_name, code_as_wasm?}` -> code as text, which loses bytes that are not UTF-8. */
export function getCode(chain: StateChain, params: Body<'get_code'>) {
  const { account, code_as_wasm } = parseParams(params, (p) => ({
    account: p.name('account_name'),
    code_as_wasm: p.bool('code_as_wasm', true),
  }))
  const row = accountRow(chain, account, 'code')
  const metadata = metadataRow(chain, account, 'code')
  rethrowAs('account_query_exception', 'unable to retrieve account code', () =>
    check(
      code_as_wasm,
      'unsupported_feature',
      'Returning WAST from get_code is no longer supported',
    ),
  )
  return {
    account_name: nameToString(account),
    // The account's name again, under the name that older clients know.
    name: nameToString(account),
    code_hash: toHex(metadata.code_hash),
    wast: '',
    wasm: bytesToText(codeOf(chain, metadata)),
    ...abiPart(chain, row, 'code'),
  }
}

/** `{account_name}` -> `{account_name, code_hash}`; the hash is zero without code. */
export function getCodeHash(chain: StateChain, params: Body<'get_code_hash'>) {
  const account = parseParams(params, (p) => p.name('account_name'))
  const { code_hash } = metadataRow(chain, account, 'code hash')
  return { account_name: nameToString(account), code_hash: toHex(code_hash) }
}

/** `{account_name, abi_hash?}` -> hashes, and the ABI in base64 unless its hash was given. */
export function getRawAbi(chain: StateChain, params: Body<'get_raw_abi'>) {
  const { account, abi_hash } = parseParams(params, (p) => {
    const hash = p.raw('abi_hash') ?? undefined
    return {
      account: p.name('account_name'),
      abi_hash: hash === undefined ? undefined : hashFromJson(hash, 32),
    }
  })
  const { abi } = accountRow(chain, account, 'abi')
  const { code_hash } = metadataRow(chain, account, 'abi')
  const hash = abiHash(abi)
  const same = abi_hash !== undefined && bytesEqual(hash, abi_hash)
  return {
    account_name: nameToString(account),
    code_hash: toHex(code_hash),
    abi_hash: toHex(hash),
    ...(same ? {} : { abi: toBase64(abi) }),
  }
}

/** `{account_name}` -> code and ABI in base64. */
export function getRawCodeAndAbi(chain: StateChain, params: Body<'get_raw_code_and_abi'>) {
  const account = parseParams(params, (p) => p.name('account_name'))
  const { abi } = accountRow(chain, account, 'code/abi')
  const metadata = metadataRow(chain, account, 'code/abi')
  return {
    account_name: nameToString(account),
    wasm: toBase64(codeOf(chain, metadata)),
    abi: toBase64(abi),
  }
}
