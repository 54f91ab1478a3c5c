/**
 * The memory of a database, shared with threads that read it.
 *
 * Everything that a reader needs is in shared buffers: chunks of rows, nodes of indices, row numbers. Their
 * holders are created in the same order on each thread, so a holder's number names it everywhere. A buffer that is
 * added or replaced is posted to the readers. A reader takes over what was posted when it has the lock, before
 * it reads.
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { LOCK_WORDS, StateLock } from './state_lock.ts'

/** Words after those of the lock: what was posted so far, and the version of the state. */
const POSTED = LOCK_WORDS
const VERSION = LOCK_WORDS + 1
const WORDS = LOCK_WORDS + 2

/** A part of a database whose content is in shared buffers. */
export interface SharedBuffers {
  /** The present buffers by their positions. */
  buffers(): SharedArrayBuffer[]
  /** Takes over a buffer of the thread that writes. */
  attach(position: number, buffer: SharedArrayBuffer): void
}

/** A buffer that was added or replaced. */
interface BufferChange {
  holder: number
  position: number
  buffer: SharedArrayBuffer
}

/** The message to a reader. */
interface Posted {
  /** Grows with each message. */
  number: number
  buffers?: BufferChange[]
  /** Data beside the state that readers need. */
  news?: unknown
}

/** The buffers of one database, on the thread that changes it and on threads that read it. */
export class SharedMemory {
  private readonly words: Int32Array<SharedArrayBuffer>
  readonly lock: StateLock
  private readonly holders: SharedBuffers[] = []
  private readonly readers = new Set<MessagePort>()

  /** @param words those of the thread that writes, if this one reads */
  constructor(words = new SharedArrayBuffer(4 * WORDS)) {
    this.words = new Int32Array(words)
    this.lock = new StateLock(this.words)
  }

  /** Adds a holder. Returns its number. */
  register(holder: SharedBuffers): number {
    return this.holders.push(holder) - 1
  }

  /** A holder has another buffer at this position. */
  changed(holder: number, position: number, buffer: SharedArrayBuffer): void {
    if (this.readers.size > 0) this.post({ buffers: [{ holder, position, buffer }] })
  }

  /** Whether there is a reader, who must see changes as wholes. */
  get isRead(): boolean {
    return this.readers.size > 0
  }

  /**
   * Lets the thread at the other end of a port read. Only between changes. Returns what it needs.
   * @param news the first data beside the state that it is sent
   */
  addReader(port: MessagePort, news?: unknown): SharedArrayBuffer {
    const buffers = this.holders.flatMap((held, holder) =>
      held.buffers().map((buffer, position) => ({ holder, position, buffer })),
    )
    port.postMessage({ number: Atomics.load(this.words, POSTED), buffers, news } satisfies Posted)
    this.readers.add(port)
    return this.words.buffer
  }

  /** The thread at the other end of the port reads no more. */
  removeReader(port: MessagePort): void {
    this.readers.delete(port)
    port.close()
  }

  /** Tells readers something beside the state, which they see from their next turn on. */
  publish(news: unknown): void {
    if (this.readers.size > 0) this.post({ news })
  }

  /** A number that changes with the state; set by the writer. */
  get version(): number {
    return Atomics.load(this.words, VERSION)
  }

  set version(version: number) {
    Atomics.store(this.words, VERSION, version)
  }

  private post(content: Omit<Posted, 'number'>): void {
    // Readers take no messages any more.
    if (this.lock.isBroken) return this.readers.clear()
    const number = Atomics.add(this.words, POSTED, 1) + 1
    for (const port of this.readers) port.postMessage({ number, ...content })
  }

  /** The number of the last message. */
  get posted(): number {
    return Atomics.load(this.words, POSTED)
  }

  /**
   * Takes over the buffers of a message.
   * @throws Error this thread has not created the same parts of the state
   */
  attach(changes: readonly BufferChange[]): void {
    for (const { holder, position, buffer } of changes) {
      const held = this.holders[holder]
      if (!held) throw new Error(`the state has no part ${holder}`)
      held.attach(position, buffer)
    }
  }
}

/** What a reading thread does with what it receives, in its turns. */
export interface TurnEvents<News> {
  /** The state is not the one of the last turn. */
  onChange: () => void
  /** The writer has published something; in order, each once. */
  onNews: (news: News) => void
}

/** The turns of one reading thread. */
export class Turns<News> {
  private readonly memory: SharedMemory
  private readonly port: MessagePort
  private readonly events: TurnEvents<News>
  private received = -1
  private version: number | undefined

  constructor(memory: SharedMemory, port: MessagePort, events: TurnEvents<News>) {
    this.memory = memory
    this.port = port
    this.events = events
  }

  /** Begins a turn: the state does not change until its end. Returns the version of the state. */
  begin(): number {
    const { memory } = this
    memory.lock.read()
    try {
      while (this.isBehind) this.receive()
      const { version } = memory
      if (version !== this.version) this.events.onChange()
      this.version = version
      return version
    } catch (error) {
      memory.lock.endRead()
      throw error
    }
  }

  /** Ends the turn: the writer may change the state again. */
  end(): void {
    this.memory.lock.endRead()
  }

  /** Whether the turn should end soon. */
  get isWanted(): boolean {
    return this.memory.lock.isWanted
  }

  /** Whether messages wait for the next turn. */
  get isBehind(): boolean {
    return this.received !== this.memory.posted
  }

  private receive(): void {
    const received = receiveMessageOnPort(this.port) as { message: Posted } | undefined
    if (!received) throw new Error('the state was changed without a message about it')
    const { number, buffers, news } = received.message
    if (buffers) this.memory.attach(buffers)
    if (news !== undefined) this.events.onNews(news as News)
    this.received = number
  }
}
