const SLOTS = 64

/**
 * Decoded rows that were found last, by key: a transaction asks for the same few rows many times, and a search takes
 * ten times as long. Keys that no row has are not remembered. The owner empties it when a key or a decoded row goes.
 */
export class RecentRows<T> {
  private readonly keys: Uint32Array
  private readonly rows: (T | undefined)[] = new Array<T | undefined>(SLOTS).fill(undefined)
  private readonly width: number
  private slot = 0
  private is_empty = true

  /** @param width words of a key */
  constructor(width: number) {
    this.width = width
    this.keys = new Uint32Array(SLOTS * width)
  }

  /** The row of this key, if it is remembered. */
  get(key: Uint32Array): T | undefined {
    const { keys, width } = this
    let hash = 0
    for (let i = 0; i < width; i++) hash = Math.imul(hash ^ (key[i] as number), 0x9e3779b1)
    const slot = (this.slot = hash >>> 26)
    const first = slot * width
    for (let i = 0; i < width; i++) if (keys[first + i] !== key[i]) return undefined
    return this.rows[slot]
  }

  /** Remembers the row of the key that {@link get} was asked for last. */
  put(key: Uint32Array, row: T): void {
    const { slot, width } = this
    for (let i = 0; i < width; i++) this.keys[slot * width + i] = key[i] as number
    this.rows[slot] = row
    this.is_empty = false
  }

  /** Forgets all rows. */
  clear(): void {
    if (this.is_empty) return
    this.rows.fill(undefined)
    this.is_empty = true
  }
}
