/** A list keeps at most so many items that were removed from it, before it copies the others. */
const MAX_DROPPED = 16

/**
 * A list that never changes, and shares its items with the lists that follow from it: to drop items at its beginning and
 * to add one at its end takes the same time however many there are. A block's state has such lists of all blocks that are
 * not final, of which there are many where votes are late.
 */
export class SharedList<T> {
  /** The items of lists that share them: each list is a part. */
  private readonly shared: T[]
  private readonly begin: number
  private readonly end: number

  private constructor(shared: T[], begin: number, end: number) {
    this.shared = shared
    this.begin = begin
    this.end = end
  }

  /** A list of these items. */
  static of<T>(items: readonly T[]): SharedList<T> {
    return new SharedList([...items], 0, items.length)
  }

  /** The number of items. */
  get length(): number {
    return this.end - this.begin
  }

  /** The item at an index, from the end if that is negative; undefined if there is none. */
  at(index: number): T | undefined {
    const place = index < 0 ? this.end + index : this.begin + index
    return place >= this.begin && place < this.end ? this.shared[place] : undefined
  }

  /** The list without its first `dropped` items, and with one more at its end. */
  next(dropped: number, item: T): SharedList<T> {
    const { shared, end } = this
    const begin = this.begin + dropped
    const kept = end - begin
    // Another list has got the place behind this one, or most items are in no list that will follow.
    if (shared.length !== end || begin > kept + MAX_DROPPED) {
      return new SharedList([...shared.slice(begin, end), item], 0, kept + 1)
    }
    shared.push(item)
    return new SharedList(shared, begin, end + 1)
  }

  /** A copy as an array. */
  toArray(): T[] {
    return this.shared.slice(this.begin, this.end)
  }
}
