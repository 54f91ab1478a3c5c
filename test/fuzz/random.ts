/** Random numbers that a seed determines (xorshift32). */
export class Random {
  private state: number

  constructor(seed: number) {
    // Neighbouring seeds must not begin alike.
    this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 1
    for (let i = 0; i < 4; i++) this.u32()
  }

  u32(): number {
    let s = this.state
    s ^= s << 13
    s >>>= 0
    s ^= s >>> 17
    s ^= s << 5
    return (this.state = s >>> 0)
  }

  /** 0 to n - 1. */
  below(n: number): number {
    return this.u32() % n
  }

  /** True once in n times. */
  once(n: number): boolean {
    return this.below(n) === 0
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  bits(count: number): bigint {
    let value = 0n
    for (let i = 0; i < count; i += 32) value = (value << 32n) | BigInt(this.u32())
    return BigInt.asUintN(count, value)
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.u32() >>> 24)
  }
}
