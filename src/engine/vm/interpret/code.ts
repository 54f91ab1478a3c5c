import { OP } from '../wasm/opcodes.ts'

/**
 * Instructions of the interpreter. Each is a word, followed by the words that its comment names.
 * The low byte of the word is the opcode, and the rest is a slot of the frame (usually that of the
 * result). Slots in separate words are byte offsets in the frame. Instructions without control flow
 * have the same number as in WebAssembly.
 */
export const CODE = {
  unreachable: OP.unreachable,
  /** slot of the first argument; number of the imported function */
  call_import: 0x01,
  /** -; bytes of the frame, offset of the save slot, offset of the locals, bytes of the locals, weight */
  enter: 0x02,
  /** Weight instead of a slot: the countdown at loops and in long stretches of code. */
  countdown: 0x03,
  /** condition; target */
  br_unless: 0x04,
  /** Ends the run. */
  halt: 0x0b,
  /** -; target */
  br: OP.br,
  /** condition; target */
  br_if: OP.br_if,
  /** index; count of targets without the default, targets */
  br_table: OP.br_table,
  /** save slot */
  return: OP.return,
  /** slot of the first argument; target */
  call: OP.call,
  /** slot of the first argument; element, type */
  call_indirect: OP.call_indirect,
  /** result; first, second, condition */
  select: OP.select,
  /** result; source */
  copy: OP.local_get,
} as const

/** A growing array of words. */
export class WordWriter {
  private data = new Uint32Array(1024)
  length = 0

  /** Appends a word. */
  push(word: number): void {
    if (this.length === this.data.length) {
      const data = new Uint32Array(this.data.length + (this.data.length >> 1))
      data.set(this.data)
      this.data = data
    }
    this.data[this.length++] = word
  }

  /** The word at a position below {@link length}. */
  get(at: number): number {
    return this.data[at]!
  }

  /** Replaces the word at a position below {@link length}. */
  set(at: number, word: number): void {
    this.data[at] = word
  }

  /** The words as bytes, little endian; a view. */
  bytes(): Uint8Array {
    return new Uint8Array(this.data.buffer, 0, this.length * 4)
  }
}

/**
 * A place that code jumps to, before it is known: the words that wait for it are a list, each
 * holding the position of the one before it.
 */
export class Target {
  private waiting = 0
  private address = 0

  /** The address; 0 before it is bound. */
  get bound_address(): number {
    return this.address
  }

  /** Writes the address as the next word, or has it written later. */
  refer(out: WordWriter): void {
    if (this.address !== 0) return out.push(this.address)
    const at = out.length
    out.push(this.waiting)
    this.waiting = at
  }

  /**
   * Sets the address, and writes it to the words that wait for it.
   * @param address not 0
   */
  bind(out: WordWriter, address: number): void {
    this.address = address
    while (this.waiting !== 0) {
      const before = out.get(this.waiting)
      out.set(this.waiting, address)
      this.waiting = before
    }
  }
}
