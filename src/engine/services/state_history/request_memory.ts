/** Most bytes of all requests that are not whole yet, and of the positions of all whole ones. */
const MAX_BYTES = 64 * 1024 * 1024

/** Bounds the memory of requests that have not come to their end, or wait. Each may be long, and there may be many readers. */
export class RequestMemory<Reader> {
  private readonly onTooMany: (reader: Reader) => void
  private readonly max_bytes: number
  private readonly bytes = new Map<Reader, number>()
  private total = 0

  /** @param onTooMany ends the connection of the reader that has sent the most */
  constructor(onTooMany: (reader: Reader) => void, max_bytes = MAX_BYTES) {
    this.onTooMany = onTooMany
    this.max_bytes = max_bytes
  }

  /** More bytes came. */
  add(reader: Reader, count: number): void {
    if (count === 0) return
    this.bytes.set(reader, (this.bytes.get(reader) ?? 0) + count)
    this.total += count
    if (this.total <= this.max_bytes) return
    const [largest] = [...this.bytes].reduce((a, b) => (b[1] > a[1] ? b : a))
    this.end(largest)
    this.onTooMany(largest)
  }

  /** The request is whole, or needed no more, or the connection has ended. */
  end(reader: Reader): void {
    this.total -= this.bytes.get(reader) ?? 0
    this.bytes.delete(reader)
  }
}
