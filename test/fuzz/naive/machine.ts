import { Failure } from './failure.ts'
import { FLOAT32, FLOAT64 } from './float_format.ts'

/** What a program's operations share: operands, console, registers and the buffer. */
export class Machine {
  console = ''
  return_value = new Uint8Array(0)
  readonly registers = new Array<number>(16).fill(0)
  readonly buffer = new Uint8Array(8192)
  private readonly program: Uint8Array
  private pos = 0

  constructor(program: Uint8Array) {
    this.program = program
  }

  get atEnd(): boolean {
    return this.pos >= this.program.length
  }

  print(text: string | bigint | number): void {
    this.console += String(text)
  }

  /** An unsigned little-endian integer of that many bytes. */
  integer(bytes: number): bigint {
    if (this.pos + bytes > this.program.length) assertion('probe: short program')
    let value = 0n
    for (let i = 0; i < bytes; i++) value |= BigInt(this.program[this.pos++]!) << BigInt(8 * i)
    return value
  }

  u8(): number {
    return Number(this.integer(1))
  }

  u32(): number {
    return Number(this.integer(4))
  }

  u64(): bigint {
    return this.integer(8)
  }

  /** A key is read byte by byte. */
  key(bytes: number): bigint {
    let value = 0n
    for (let i = 0; i < bytes; i++) value |= this.integer(1) << BigInt(8 * i)
    return value
  }

  bytes(): Uint8Array {
    const length = this.u32()
    if (this.pos + length > this.program.length) assertion('probe: short bytes')
    this.pos += length
    return this.program.subarray(this.pos - length, this.pos)
  }

  /** The iterator in a register that the next operand names. */
  iterator(): number {
    return this.registers[this.u8() & 15]!
  }

  /** Keeps an iterator in the register that the next operand names, and prints it. */
  keep(iterator: number): void {
    this.registers[this.u8() & 15] = iterator
    this.print(iterator)
  }

  hex(value: bigint, bytes: number): void {
    for (let i = 0; i < bytes; i++) {
      this.print(((value >> BigInt(8 * i)) & 0xffn).toString(16).padStart(2, '0'))
    }
  }
}

export function assertion(message: string): never {
  const text = `assertion failure with message: ${message}`
  throw new Failure('eosio_assert_message_exception', text)
}

/** A float's format by its bytes. */
export const formatOf = (bytes: number): typeof FLOAT64 => (bytes === 8 ? FLOAT64 : FLOAT32)
