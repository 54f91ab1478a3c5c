/**
 * Transactions as a client makes them: actions by the ABIs of their contracts, signed with private keys, in the form
 * that `send_transaction2` takes.
 */
import { unpackAbi, packAbi } from '../abi/abi_binary.ts'
import { abiFromJson } from '../abi/abi_json.ts'
import { compileAbi, type CompiledAbi } from '../abi/compiled_abi.ts'
import { ConversionBudget } from '../abi/conversion_budget.ts'
import { SYSTEM_ABI } from '../abi/system_abi.ts'
import { signingDigest } from '../crypto/digests.ts'
import { signDigest, type PrivateKey } from '../crypto/keys.ts'
import { ChainError } from '../errors.ts'
import { fromHex, toHex } from '../protocol/hex.ts'
import { signatureToString } from '../protocol/key.ts'
import { nameFromString, nameToString } from '../protocol/name.ts'
import { makePackedTransaction } from '../protocol/packed_transaction.ts'
import { parseTimePoint } from '../protocol/time.ts'
import { refBlockOf, type Action } from '../protocol/transaction.ts'

/** An action with its arguments as JSON. */
export interface PlainAction {
  /** The account of the contract. */
  account: string
  name: string
  authorization: readonly { actor: string; permission: string }[]
  /** By the ABI; hexadecimal text is taken as packed bytes. */
  data: unknown
}

/** The chain that a transaction is for; the fields are those of `get_info`. */
export interface SigningChain {
  chain_id: string
  head_block_id: string
  head_block_time: string
}

/** A transaction as `send_transaction2` takes it. */
export interface SignedTransactionJson {
  signatures: string[]
  compression: 'none'
  packed_context_free_data: string
  packed_trx: string
}

/** The ABI in JSON text, as `setabi` stores it. @throws ChainError, SyntaxError */
export function packAbiText(json: string): Uint8Array {
  const abi = abiFromJson(JSON.parse(json))
  compileAbi(abi)
  return packAbi(abi)
}

/**
 * Packs an action.
 * @param abi_bytes the packed ABI of its contract; empty if there is none. The native actions of eosio need none
 * @throws ChainError where the ABI has no such action, or the data is not of its type
 */
export function encodeAction(action: PlainAction, abi_bytes: Uint8Array): Action {
  const { account, name, authorization, data } = action
  return {
    account: nameFromString(account),
    name: nameFromString(name),
    authorization: authorization.map(({ actor, permission }) => ({
      actor: nameFromString(actor),
      permission: nameFromString(permission),
    })),
    data: typeof data === 'string' ? fromHex(data) : packData(action, abi_bytes),
  }
}

function packData({ account, name, data }: PlainAction, abi_bytes: Uint8Array): Uint8Array {
  const own = abi_bytes.length === 0 ? undefined : compileAbi(unpackAbi(abi_bytes))
  const native = account === 'eosio' ? compileAbi(SYSTEM_ABI) : undefined
  for (const abi of [own, native]) {
    const type = abi?.actionType(nameFromString(name))
    if (abi && type !== undefined)
      return abi.encode(type, data, { budget: new ConversionBudget(Infinity) })
  }
  if (!own && !native) {
    throw new ChainError(
      'abi_not_found_exception',
      `${account} has no ABI: deploy a contract on it`,
    )
  }
  const known = [own, native].flatMap((abi) => (abi ? actionsOf(abi) : []))
  throw new ChainError(
    'action_validate_exception',
    `the contract of ${account} has no action ${name}; it has ${known.join(', ')}`,
  )
}

function actionsOf(abi: CompiledAbi): string[] {
  return [...abi.types.actions.keys()].map(nameToString)
}

/**
 * Makes and signs a transaction.
 * @param expires_in_s seconds after the head block
 */
export function signTransaction(
  actions: readonly Action[],
  chain: SigningChain,
  keys: readonly PrivateKey[],
  expires_in_s: number,
): SignedTransactionJson {
  const head_s = Math.floor(parseTimePoint(chain.head_block_time) / 1_000_000)
  const trx = {
    expiration: head_s + expires_in_s,
    ...refBlockOf(fromHex(chain.head_block_id)),
    max_net_usage_words: 0,
    max_cpu_usage_ms: 0,
    delay_sec: 0,
    context_free_actions: [],
    actions: [...actions],
    transaction_extensions: [],
  }
  const { packed_trx } = makePackedTransaction(trx, [])
  const digest = signingDigest(fromHex(chain.chain_id), packed_trx)
  return {
    signatures: keys.map((key) => signatureToString(signDigest(key, digest))),
    compression: 'none',
    packed_context_free_data: '',
    packed_trx: toHex(packed_trx),
  }
}
