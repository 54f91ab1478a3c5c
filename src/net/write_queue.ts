import type { SendQueue } from './remote_peer.ts'

/** A framed message that waits to be sent. */
export interface QueuedMessage {
  framed: Uint8Array
  /** The connection ends when it is sent. */
  last: boolean
}

/** The order in which queues are emptied. */
const ORDER: readonly SendQueue[] = ['sync', 'general', 'transactions']

/** Memory that a message needs besides its bytes, about. */
const OVERHEAD = 256

/** Messages that wait to be sent to a peer: asked for blocks first, transactions last. */
export class WriteQueue {
  private queues = emptyQueues()
  private waiting_bytes = 0
  private taken_bytes = 0

  /** Bytes of memory of the messages that wait, and of those that were taken and are not sent yet. */
  get bytes(): number {
    return this.waiting_bytes + this.taken_bytes
  }

  /** Appends a message to a queue. */
  add(message: QueuedMessage, queue: SendQueue): void {
    this.queues[queue].push(message)
    this.waiting_bytes += sizeOf(message)
  }

  /** All messages of the first queue that has any. Those that were taken before are sent. */
  take(): QueuedMessage[] {
    for (const name of ORDER) {
      const messages = this.queues[name]
      if (messages.length === 0) continue
      this.queues[name] = []
      this.taken_bytes = messages.reduce((sum, message) => sum + sizeOf(message), 0)
      this.waiting_bytes -= this.taken_bytes
      return messages
    }
    this.taken_bytes = 0
    return []
  }

  /** Drops the messages that were not taken. */
  clear(): void {
    this.queues = emptyQueues()
    this.waiting_bytes = 0
  }
}

function sizeOf({ framed }: QueuedMessage): number {
  return framed.length + OVERHEAD
}

function emptyQueues(): Record<SendQueue, QueuedMessage[]> {
  return { sync: [], general: [], transactions: [] }
}
