import type { SendQueue } from './remote_peer.ts'

/** A framed message that waits to be sent. */
export interface QueuedMessage {
  framed: Uint8Array
  /** The connection ends when it is sent. */
  last: boolean
}

/** The order in which queues are emptied. */
const ORDER: readonly SendQueue[] = ['sync', 'general', 'transactions']

/** Messages that wait to be sent to a peer: asked for blocks first, transactions last. */
export class WriteQueue {
  /** Bytes that wait. */
  bytes = 0
  private queues = emptyQueues()

  add(message: QueuedMessage, queue: SendQueue): void {
    this.queues[queue].push(message)
    this.bytes += message.framed.length
  }

  /** All messages of the first queue that has any. */
  take(): QueuedMessage[] {
    for (const name of ORDER) {
      const messages = this.queues[name]
      if (messages.length === 0) continue
      this.queues[name] = []
      for (const { framed } of messages) this.bytes -= framed.length
      return messages
    }
    return []
  }

  clear(): void {
    this.queues = emptyQueues()
    this.bytes = 0
  }
}

function emptyQueues(): Record<SendQueue, QueuedMessage[]> {
  return { sync: [], general: [], transactions: [] }
}
