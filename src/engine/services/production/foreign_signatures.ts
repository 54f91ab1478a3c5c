/**
 * Names the chain that a transaction was signed for, where it was not this one. Signatures hold the
 * chain id, so that a client with another chain's id seems to sign with an unknown key.
 */
import { signersOf } from '../../crypto/recover_keys.ts'
import { ChainError } from '../../errors.ts'
import { bytesEqual, fromHex, toHex } from '../../protocol/hex.ts'
import type { Chain } from '../../chain/chain.ts'
import { metadataSigningDigest } from '../../chain/base/transaction_metadata.ts'
import type { TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import type { Clock } from '../../clock.ts'
import { KNOWN_CHAINS } from './known_chains.ts'
import type { Log } from '../../log.ts'

/** A look costs some key recoveries, so there is one in this time at most; microseconds. */
const INTERVAL_US = 1_000_000

/** The parts of the node that the check of foreign signatures uses. */
export interface ForeignSignaturesDependencies {
  chain: Chain
  clock: Clock
  log: Log
}

/**
 * Logs the chain for which a transaction with insufficient keys was signed, if that is another
 * known chain. It changes no result.
 */
export class ForeignSignatures {
  private readonly deps: ForeignSignaturesDependencies
  private next_us = -Infinity

  constructor(deps: ForeignSignaturesDependencies) {
    this.deps = deps
  }

  /** Follows the chain from now on: checks input transactions with insufficient keys. */
  follow(): void {
    this.deps.chain.events.on('transactionApplied', ({ trace, meta }) => {
      if (meta.kind !== 'input' || trace.producer_block_id !== undefined) return
      if (trace.except?.errorName === 'unsatisfied_authorization') this.look(meta)
    })
  }

  private look(meta: TransactionMetadata): void {
    const now_us = this.deps.clock.now()
    if (now_us < this.next_us) return
    this.next_us = now_us + INTERVAL_US
    for (const [id, name] of KNOWN_CHAINS) {
      if (id === toHex(this.deps.chain.chain_id) || !this.isSignedFor(meta, fromHex(id))) continue
      const message = `transaction ${toHex(meta.id)} was signed for another chain: ${name}`
      return this.deps.log('info', message, { chain_id: id })
    }
  }

  /**
   * Whether the key of the first signature, under this chain id, belongs to a declared permission.
   */
  private isSignedFor(meta: TransactionMetadata, chain_id: Uint8Array): boolean {
    const signer = firstSigner(meta, chain_id)
    if (signer === undefined) return false
    const { permission } = this.deps.chain.db
    const levels = meta.trx.actions.flatMap(({ authorization }) => authorization)
    return levels.slice(0, MAX_LEVELS).some((level) => {
      const row = permission.find('by_owner', level.actor, level.permission)
      return row?.auth.keys.some(({ key }) => bytesEqual(key, signer)) ?? false
    })
  }
}

/** Maximum number of declared permissions that are checked. */
const MAX_LEVELS = 16

/** Undefined where the signature gives no key for this chain. */
function firstSigner(meta: TransactionMetadata, chain_id: Uint8Array): Uint8Array | undefined {
  const digest = metadataSigningDigest(meta, chain_id)
  try {
    return signersOf(digest, meta.packed.signatures.slice(0, 1))[0]
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}
