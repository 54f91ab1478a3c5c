import type { ContractDatabase } from '../contract_database.ts'
import type { SecondaryIndex, SecondaryKey } from '../database/secondary_index.ts'
import type { WasmInstance } from '../instance.ts'
import { refuse } from '../refuse.ts'

/** The layout of one kind of secondary key in a contract's memory. */
export interface KeyForm<K extends SecondaryKey> {
  /** Part of the functions' names. */
  name: string
  /** Letters of the key's parameters: a pointer, or a pointer and a count of u128. */
  params: 'i' | 'ii'
  index(db: ContractDatabase): SecondaryIndex<K>
  /** Checks pointer and count. */
  check(vm: WasmInstance, ptr: number, count: number): void
  /** A further condition on the key's value, checked before the call does anything. */
  checkCount(count: number): void
  read(vm: WasmInstance, ptr: number): K
  write(vm: WasmInstance, ptr: number, key: K): void
  /** Reads a key to be searched or stored: a NaN is refused. */
  checkKey(key: K): void
}

const any = (): void => {}

function integerForm(name: string, bytes: 8 | 16): KeyForm<bigint> {
  return {
    name,
    params: 'i',
    index: (db) => (bytes === 8 ? db.idx64 : db.idx128),
    check: (vm, ptr) => vm.checkPointer(ptr, bytes),
    checkCount: any,
    read: (vm, ptr) => (bytes === 8 ? vm.getU64(ptr) : vm.getU128(ptr)),
    write: (vm, ptr, key) => (bytes === 8 ? vm.setU64(ptr, key) : vm.setU128(ptr, key)),
    checkKey: any,
  }
}

function refuseNan(nan: boolean): void {
  if (nan) {
    refuse('transaction_exception', 'NaN is not an allowed value for a secondary key')
  }
}

/** Keys of 64-bit integers. */
export const KEY64 = integerForm('idx64', 8)
/** Keys of 128-bit integers. */
export const KEY128 = integerForm('idx128', 16)

/** Keys of 256-bit integers: two halves of 128 bits. */
export const KEY256: KeyForm<readonly [bigint, bigint]> = {
  name: 'idx256',
  params: 'ii',
  index: (db) => db.idx256,
  check: (vm, ptr, count) => vm.checkArray(ptr, count, 16),
  checkCount: (count) => {
    if (count === 2) return
    refuse(
      'db_api_exception',
      'invalid size of secondary key array for idx256: given ${given} bytes but expected ${expected} bytes',
      { given: count >>> 0, expected: 2 },
    )
  },
  read: (vm, ptr) => [vm.getU128(ptr), vm.getU128(ptr + 16)],
  write: (vm, ptr, key) => {
    vm.setU128(ptr, key[0])
    vm.setU128(ptr + 16, key[1])
  },
  checkKey: any,
}

const MAX_FINITE_64 = 0x7ff0000000000000n
const MAX_FINITE_128 = 0x7fff0000000000000000000000000000n

/** Keys of 64-bit floating point numbers, as their bits. */
export const KEY_DOUBLE: KeyForm<bigint> = {
  ...KEY64,
  name: 'idx_double',
  index: (db) => db.idx_double,
  checkKey: (bits) => refuseNan((bits & 0x7fffffffffffffffn) > MAX_FINITE_64),
}

/** Keys of 128-bit floating point numbers, as their bits. */
export const KEY_LONG_DOUBLE: KeyForm<bigint> = {
  ...KEY128,
  name: 'idx_long_double',
  index: (db) => db.idx_long_double,
  checkKey: (bits) => refuseNan((bits & ((1n << 127n) - 1n)) > MAX_FINITE_128),
}
