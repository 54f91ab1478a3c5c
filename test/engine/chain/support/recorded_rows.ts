import { readFileSync } from 'node:fs'

/** Rows of one section as JSON. */
export type JsonRows = readonly Record<string, unknown>[]

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

/**
 * Rows that the reference's snapshot at block 36 of the recorded chain has and that blocks changed
 * in nothing but features and times: before Savanna, with every protocol feature active.
 */
export const recordedRows = read('./fixtures/recorded_rows.json') as Record<
  | 'account_object'
  | 'permission_object'
  | 'protocol_state_object'
  | 'resource_usage_object'
  | 'resource_limits_config_object',
  JsonRows
>

/** Genesis of the recorded chain. */
export const recordedGenesis = read('../../../fixtures/recordings/one/genesis.json')
