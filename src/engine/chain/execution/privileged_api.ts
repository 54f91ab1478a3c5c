import type { Database } from '../../state/database.ts'
import type { Row } from '../../state/object_table.ts'
import type { AccountMetadata } from '../../state/rows.ts'
import type { PrivilegedHost } from '../../vm/host_context.ts'
import type { BuiltinFeatureName } from '../../protocol/features.ts'
import type { BlockContext } from './block_context.ts'
import type { BlockProposals, LegacySchedules } from '../headers/proposals.ts'
import type { RunningTransaction } from './running_transaction.ts'
import { ACCOUNT_FLAG_PRIVILEGED } from '../../state/rows.ts'
import {
  getBlockchainParameters,
  getParametersPacked,
  getWasmParameters,
  setBlockchainParameters,
  setParametersPacked,
  setWasmParameters,
} from '../rules/parameters.ts'
import { preactivateFeature } from '../rules/features.ts'
import { setProposedProducers } from '../headers/propose_producers.ts'
import { setFinalizers } from '../headers/propose_finalizers.ts'
import { getAccountLimits, setAccountLimits } from '../rules/resource_limits.ts'
import type { AccountLimits } from '../rules/resource_limits.ts'
import { failUnknownAccount } from '../base/unknown_key.ts'

/** Host functions for privileged contracts (spring: webassembly/privileged.cpp). */
export class PrivilegedApi implements PrivilegedHost {
  readonly db: Database
  private readonly tx: RunningTransaction
  private readonly block: BlockContext

  constructor(tx: RunningTransaction) {
    this.tx = tx
    this.block = tx.block
    this.db = tx.db
  }

  /**
   * Checks the limits on the time of the running transaction.
   * @throws ChainError the deadline or a limit on CPU time has passed
   */
  checktime(): void {
    this.tx.cpu.checktime()
  }

  /** The number of the block that the transaction is in. */
  get block_num(): number {
    return this.block.block_num
  }

  /** What contracts have proposed in this transaction's block. */
  get proposals(): BlockProposals {
    return this.tx.proposals
  }

  /** Whether a protocol feature is active in the block. */
  isFeatureActivated(feature: BuiltinFeatureName): boolean {
    return this.block.isActivated(feature)
  }

  /** The schedules of legacy consensus; undefined in Savanna blocks. */
  legacySchedules(): LegacySchedules | undefined {
    return this.block.legacySchedules()
  }

  setResourceLimits(
    account: bigint,
    ram_bytes: bigint,
    net_weight: bigint,
    cpu_weight: bigint,
  ): void {
    const decreased = setAccountLimits(this.db, account, { ram_bytes, net_weight, cpu_weight })
    // An account whose RAM limit decreases is checked as if its RAM usage had grown.
    if (decreased) this.tx.checkRamOf(account)
  }

  getResourceLimits(account: bigint): AccountLimits {
    return getAccountLimits(this.db, account)
  }

  setProposedProducers(packed: Uint8Array, format: bigint): bigint {
    return setProposedProducers(this, packed, format)
  }

  getBlockchainParameters(): Uint8Array {
    return getBlockchainParameters(this.db)
  }

  setBlockchainParameters(packed: Uint8Array): void {
    setBlockchainParameters(this.db, packed)
  }

  getParametersPacked(packed_ids: Uint8Array): Uint8Array {
    return getParametersPacked(this, packed_ids)
  }

  setParametersPacked(packed: Uint8Array): void {
    setParametersPacked(this, packed)
  }

  getWasmParameters(): Uint8Array {
    return getWasmParameters(this.db)
  }

  setWasmParameters(packed: Uint8Array): void {
    setWasmParameters(this.db, packed)
  }

  isPrivileged(account: bigint): boolean {
    return (this.metadata(account).flags & ACCOUNT_FLAG_PRIVILEGED) !== 0
  }

  setPrivileged(account: bigint, privileged: boolean): void {
    this.db.account_metadata.modify(this.metadata(account), (row) => {
      if (privileged) row.flags |= ACCOUNT_FLAG_PRIVILEGED
      else row.flags &= ~ACCOUNT_FLAG_PRIVILEGED
    })
  }

  private metadata(account: bigint): Row<AccountMetadata> {
    return this.db.account_metadata.find('by_name', account) ?? failUnknownAccount(account)
  }

  preactivateFeature(digest: Uint8Array): void {
    preactivateFeature(this.block, digest)
  }

  isFeatureActive(digest: Uint8Array): boolean {
    return this.block.isFeatureActivated(digest)
  }

  setFinalizers(format: bigint, packed_policy: Uint8Array): void {
    setFinalizers(this, format, packed_policy)
  }
}
