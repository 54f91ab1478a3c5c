import assert from 'node:assert'
import type { Database } from '../../../state/database.ts'
import { BILLABLE_GENERATED_TRANSACTION } from '../../base/constants.ts'
import { addPendingRamUsage, getAccountRamUsage } from '../resource_limits.ts'
import type { ProtocolFeature } from './feature_set.ts'

/**
 * The effects of a feature's activation on the state (spring: controller.cpp, on_activation): host
 * functions to import, key types, and the end of deferred transactions. The block records that the
 * feature is active.
 */
export function activateFeature(block: { readonly db: Database }, feature: ProtocolFeature): void {
  const { db } = block
  if (feature.intrinsics.length > 0) whitelistIntrinsics(db, feature.intrinsics)
  if (feature.name === 'REPLACE_DEFERRED') correctRam(db)
  if (feature.name === 'WEBAUTHN_KEY') enableWebAuthnKeys(db)
  if (feature.name === 'DISABLE_DEFERRED_TRXS_STAGE_2') removeDeferredTransactions(db)
}

function whitelistIntrinsics(db: Database, names: readonly string[]): void {
  db.protocol_state.modify(db.protocol_state.single(), (state) => {
    const whitelist = new Set(state.whitelisted_intrinsics)
    for (const name of names) {
      assert(!whitelist.has(name), `${name} is whitelisted already`)
      whitelist.add(name)
    }
    state.whitelisted_intrinsics = whitelist
  })
}

function enableWebAuthnKeys(db: Database): void {
  db.protocol_state.modify(db.protocol_state.single(), (state) => {
    state.num_supported_key_types = 3
  })
}

/** Refunds RAM that accounts were billed in excess for replaced deferred transactions. */
function correctRam(db: Database): void {
  for (const correction of db.account_ram_correction.all()) {
    const usage = getAccountRamUsage(db, correction.name)
    const { ram_correction } = correction
    addPendingRamUsage(db, correction.name, -(ram_correction > usage ? usage : ram_correction))
    db.account_ram_correction.remove(correction)
  }
}

/** Drops every deferred transaction and refunds its payer. */
function removeDeferredTransactions(db: Database): void {
  for (const deferred of db.generated_transaction.all('by_trx_id')) {
    const size = BILLABLE_GENERATED_TRANSACTION + deferred.packed_trx.length
    addPendingRamUsage(db, deferred.payer, -size)
    db.generated_transaction.remove(deferred)
  }
}
