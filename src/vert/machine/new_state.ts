import { FeatureSet, activateFeature } from '../../engine/chain/rules/features.ts'
import { initializeRules } from '../../engine/chain/rules/genesis.ts'
import { defaultGenesis } from '../../engine/protocol/genesis.ts'
import { createDatabase } from '../../engine/state/database.ts'
import type { Database } from '../../engine/state/database.ts'
import { FEATURE_SPECS } from '../../engine/protocol/features.ts'

/** Every protocol feature of the engine; all are active. */
export const FEATURES = new FeatureSet()

const NO_LIMIT = 0xffffffff
const NO_BLOCK_LIMIT = 2n ** 62n
/** The stack of this process has room for as many inline actions within each other. */
const INLINE_DEPTH = 64

/**
 * The state in which the transactions of tests run: that of a new chain with all protocol features,
 * and without the limits that VeRT does not have.
 */
export function newState(): Database {
  const db = createDatabase()
  initializeRules(db, defaultGenesis())
  for (const { name } of FEATURE_SPECS) activateFeature({ db }, FEATURES.byName(name))
  db.global_property.modify(db.global_property.single(), ({ configuration }) => {
    configuration.max_inline_action_depth = INLINE_DEPTH
    configuration.max_inline_action_size = NO_LIMIT
    configuration.max_action_return_value_size = NO_LIMIT
  })
  db.resource_limits_config.modify(db.resource_limits_config.single(), (config) => {
    config.cpu_limit_parameters.max = NO_BLOCK_LIMIT
    config.net_limit_parameters.max = NO_BLOCK_LIMIT
  })
  return db
}
