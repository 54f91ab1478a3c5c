/**
 * RAM billed for the fixed part of contract rows (spring: contract_table_objects.hpp,
 * config.hpp: 32 bytes an index, rounded up to 16).
 */
export const BILLABLE_TABLE_ID = 112
/** Besides the bytes of the value. */
export const BILLABLE_KEY_VALUE = 112
export const BILLABLE_INDEX64 = 128
export const BILLABLE_INDEX128 = 144
export const BILLABLE_INDEX256 = 160
export const BILLABLE_INDEX_DOUBLE = 128
export const BILLABLE_INDEX_LONG_DOUBLE = 144
