import type { SendQueue } from './remote_peer.ts'

/** A framed message that waits to be sent. */
export interface QueuedMessage {
  framed: Uint8Array
  /** The connection ends when it is sent. */
  last: boolean
}

/** The order in which queues are emptied; times go with each of them. */
const ORDER: readonly SendQueue[] = ['sync', 'general', 'transactions']

/** Memory that a message needs besides its bytes, about. */
const OVERHEAD = 256

/** Messages that wait to be sent to a peer: times first, then blocks that it asked for, transactions last. */
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

  /** All times, then all messages of the first other queue that has any. Those that were taken before are sent. */
  take(): QueuedMessage[] {
    const first = ORDER.find((name) => this.queues[name].length > 0)
    const messages = this.takeQueue('time').concat(first ? this.takeQueue(first) : [])
    this.taken_bytes = messages.reduce((sum, message) => sum + sizeOf(message), 0)
    this.waiting_bytes -= this.taken_bytes
    return messages
  }

  private takeQueue(name: SendQueue): QueuedMessage[] {
    const messages = this.queues[name]
    this.queues[name] = []
    return messages
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
  return { time: [], sync: [], general: [], transactions: [] }
}
