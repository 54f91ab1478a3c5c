/**
 * RAM billed for the fixed part of contract rows (spring: contract_table_objects.hpp,
 * config.hpp: 32 bytes an index, rounded up to 16).
 */
export const BILLABLE_TABLE_ID = 112
/** Besides the bytes of the value. */
export const BILLABLE_KEY_VALUE = 112
/** Row of an index of 64-bit integers. */
export const BILLABLE_INDEX64 = 128
/** Row of an index of 128-bit integers. */
export const BILLABLE_INDEX128 = 144
/** Row of an index of 256-bit integers. */
export const BILLABLE_INDEX256 = 160
/** Row of an index of 64-bit floating point numbers. */
export const BILLABLE_INDEX_DOUBLE = 128
/** Row of an index of 128-bit floating point numbers. */
export const BILLABLE_INDEX_LONG_DOUBLE = 144
