import { signDigest } from '../../src/engine/crypto/keys.ts'
import { signingDigest } from '../../src/engine/crypto/digests.ts'
import type { PrivateKey } from '../../src/engine/crypto/private_key.ts'
import { fromHex, toHex } from '../../src/engine/protocol/hex.ts'
import { signatureToString } from '../../src/engine/protocol/key.ts'
import {
  packTransaction,
  plainTransaction,
  refBlockOf,
  type Action,
} from '../../src/engine/protocol/transaction.ts'
import { packOne } from '../../src/engine/protocol/writer.ts'

/** What a transaction needs of the chain. */
export interface Signing {
  /** Hex digits, as of `get_info`. */
  chain_id: string
  /** The block that the transaction refers to; hex digits. */
  block_id: string
  /** Seconds since 1970. */
  expiration: number
}

/** A signed transaction, as submissions have it. */
export function signTransaction(actions: Action[], key: PrivateKey, signing: Signing) {
  const packed = packOne(packTransaction, {
    ...plainTransaction(actions),
    ...refBlockOf(fromHex(signing.block_id)),
    expiration: signing.expiration,
  })
  const signature = signDigest(key, signingDigest(fromHex(signing.chain_id), packed))
  return {
    signatures: [signatureToString(signature)],
    compression: 'none',
    packed_context_free_data: '',
    packed_trx: toHex(packed),
  }
}

/** The body of a request to `send_transaction2`. */
export function submission(transaction: ReturnType<typeof signTransaction>): string {
  return JSON.stringify({ return_failure_trace: true, retry_trx: false, transaction })
}
