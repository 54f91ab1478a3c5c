import type { WordWriter } from './code.ts'
import { CODE } from './code.ts'

/** Operands that only name a local, at most: more are copied to their own slots. */
const MAX_ALIASES = 32
const NONE = -1

/**
 * The operand stack of the translated body: the slot of the frame for each value. Each height of
 * the stack has a slot. `local.get` copies nothing: its value stays in the local's slot until an
 * instruction could change it.
 */
export class OperandSlots {
  private readonly out: WordWriter
  /** Slot of the lowest operand. */
  private readonly first: number
  private readonly slots: number[] = []
  /** Heights of the values that are in locals, rising. */
  private aliases: number[] = []
  /** The last instruction's first word, where its result is the top of the stack. */
  private last_result = NONE
  greatest = 0

  constructor(out: WordWriter, first: number) {
    this.out = out
    this.first = first
  }

  /** Number of operands. */
  get height(): number {
    return this.slots.length
  }

  /** The slot for a value at this height. */
  own(height: number): number {
    return this.first + height
  }

  /** The slot of the last operand. */
  top(): number {
    return this.slots[this.slots.length - 1]!
  }

  /** Removes the last operand. Returns its slot. */
  pop(): number {
    const slot = this.slots.pop()!
    if (this.aliases[this.aliases.length - 1] === this.slots.length) this.aliases.pop()
    this.last_result = NONE
    return slot
  }

  /** Pushes the value of a local without a copy. */
  pushLocal(local: number): void {
    this.aliases.push(this.slots.length)
    this.push(local)
  }

  /** Pushes a value that is in its own slot already. */
  pushOwn(): void {
    this.push(this.own(this.slots.length))
  }

  private push(slot: number): void {
    this.slots.push(slot)
    this.greatest = Math.max(this.greatest, this.slots.length)
    this.last_result = NONE
  }

  /** Writes an instruction's first word, of which the result is pushed. */
  result(op: number): void {
    const at = this.out.length
    this.pushOwn()
    this.out.push(op | (this.top() << 8))
    this.last_result = at
  }

  /** Pops a value into a local. */
  popTo(local: number): void {
    this.freeLocal(local)
    const result = this.last_result
    const slot = this.pop()
    if (result === NONE) this.copy(slot, local)
    else this.out.set(result, (this.out.get(result) & 0xff) | (local << 8))
  }

  /** Before a local changes: values that are in it move to their own slots. */
  private freeLocal(local: number): void {
    if (this.aliases.length > MAX_ALIASES) return this.settle()
    this.aliases = this.aliases.filter((height) => {
      if (this.slots[height] !== local) return true
      this.toOwn(height)
      return false
    })
  }

  /** Moves all values to their own slots. */
  settle(): void {
    for (const height of this.aliases) this.toOwn(height)
    this.aliases = []
    this.last_result = NONE
  }

  /** Moves the values from this height on to their own slots. */
  settleFrom(height: number): void {
    while (this.aliases.length > 0 && this.aliases[this.aliases.length - 1]! >= height) {
      this.toOwn(this.aliases.pop()!)
    }
    this.last_result = NONE
  }

  private toOwn(height: number): void {
    this.copy(this.slots[height]!, this.own(height))
    this.slots[height] = this.own(height)
    this.last_result = NONE
  }

  /** After code that was written since the last result. */
  forgetResult(): void {
    this.last_result = NONE
  }

  /** Writes the instruction that copies the value of a slot to another; none for the same slot. */
  copy(from: number, to: number): void {
    if (from === to) return
    this.out.push(CODE.copy | (to << 8))
    this.out.push(from * 8)
    this.last_result = NONE
  }

  /** After a jump or at the end of a block. */
  cutTo(height: number): void {
    while (this.slots.length > height) this.pop()
    this.last_result = NONE
  }
}
