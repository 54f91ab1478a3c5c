import { fail } from '../errors.ts'

/** The number of values that count as a microsecond of conversion: 64. */
const COST_PER_US = 4096

/** The cost of one value at any place. */
export const VALUE_COST = 64

/** The cost of small values in a list, which often contains bytes. */
export const SMALL_VALUE_COST = 16

/** The cost of values of 128 bits and more, hashes and symbols. */
export const WIDE_VALUE_COST = 192

/** The cost of a value whose text takes about ten times as long as others. */
export const SLOW_VALUE_COST = 1024

/** The same for keys and signatures, whose text has a checksum and base 58. */
export const KEY_COST = 6400
/** The cost of a signature. */
export const SIGNATURE_COST = 12800

/** The additional cost of a long key or signature, by its bytes or characters. */
export const longKeyCost = (length: number): number => Math.max(0, length - 128) * 1024

const DEFAULT_MAX_TIME_US = 15_000

/** Bytes of actions that the traces of one request show. */
const MAX_TRACED_BYTES = 16 * 1024 * 1024

/**
 * Limits the cost of the conversions of one request. It counts work, not time, so the answer to a
 * request does not depend on the load of the machine. The reference uses the clock (spring:
 * abi_serializer.hpp create_yield_function).
 */
export class ConversionBudget {
  private readonly max_time_us: number
  private left: number
  private traced_bytes = 0

  constructor(max_time_us = DEFAULT_MAX_TIME_US) {
    this.max_time_us = max_time_us
    this.left = max_time_us * COST_PER_US
  }

  /**
   * Pays for a value.
   * @throws ChainError abi_serialization_deadline_exception when nothing is left
   */
  spend(cost: number): void {
    this.left -= cost
    if (this.left < 0) {
      const text = `serialization time limit ${this.max_time_us}us exceeded`
      fail('abi_serialization_deadline_exception', text)
    }
  }

  /**
   * Counts the data of an action in a trace, which is repeated for each notified account. Without a
   * limit, an answer could exceed the maximum length of a string.
   * @throws ChainError abi_serialization_deadline_exception
   */
  addTraced(bytes: number): void {
    this.traced_bytes += bytes
    if (this.traced_bytes > MAX_TRACED_BYTES) {
      const text = `the traces show more than ${MAX_TRACED_BYTES} bytes of actions`
      fail('abi_serialization_deadline_exception', text)
    }
  }

  /** Pays for a name that the JSON repeats: an ABI may give a one-byte field a very long one. */
  spendName(name: string): void {
    this.spend(name.length + 4)
  }
}
