import type { StateView } from '../state/state_view.ts'

/** The state after a block, to be written. */
export interface SnapshotSource {
  view: StateView
  /** The packed row of the section `eosio::chain::block_state`. */
  block_state: Uint8Array
  /** Time of the block, microseconds since 1970. */
  block_time_us: number
}
