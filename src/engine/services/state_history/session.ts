/**
 * The connection of one reader. Blocks are looked up when they are sent, one at a time, and the next one only when
 * the system has taken the last one: a reader that is slow, or does not read, costs the memory of one message.
 * spring: plugins/state_history_plugin/include/eosio/state_history_plugin/session.hpp
 */
import type { WebSocket } from 'ws'
import { ChainError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { STATE_HISTORY_ABI } from './abi.ts'
import { MessageSender } from './message_sender.ts'
import type { LogEntry } from './log_entry.ts'
import type { Turns } from './turns.ts'
import {
  PositionList,
  packBlocksResultHead,
  packPartHead,
  packStatus,
  unpackRequest,
  type BlockPosition,
  type BlocksRequest,
  type HistoryStatus,
} from './protocol.ts'

/** What sessions read from. Its methods throw ChainError plugin_exception where a log is damaged. */
export interface HistorySource {
  readonly status: HistoryStatus
  blockId(block_num: number): Uint8Array | undefined
  packedBlock(id: Uint8Array): Uint8Array | undefined
  traces(block_num: number, id: Uint8Array): LogEntry | undefined
  deltas(block_num: number, id: Uint8Array): LogEntry | undefined
  finalityData(block_num: number, id: Uint8Array): LogEntry | undefined
}

/** Requests of the status that wait for their answers; beyond, nothing more is read. */
const MAX_WAITING = 16

/** Positions that are compared before other tasks come: the id of each may be read from a file. */
const POSITIONS = 256

/** A reader that asked for nothing yet. */
const NOTHING: BlocksRequest = {
  version: 0,
  start_block_num: 0,
  end_block_num: 0,
  max_messages_in_flight: 0,
  have_positions: new PositionList(),
  irreversible_only: false,
  fetch_block: false,
  fetch_traces: false,
  fetch_deltas: false,
  fetch_finality_data: false,
}

/** A block that is sent: the begin of the message, and the parts from the logs. */
interface BlockMessage {
  readonly head: Uint8Array
  readonly parts: readonly (LogEntry | undefined)[]
}

/** What is sent next. */
interface NextMessages {
  readonly status: HistoryStatus
  /** Versions of the answers to requests of the status. */
  readonly statuses: readonly (0 | 1)[]
  readonly message: BlockMessage | undefined
}

/** The parts of a block that is not known, by version. */
const NO_PARTS = [
  [undefined, undefined],
  [undefined, undefined, undefined],
] as const

/** Serves one reader until the connection ends. */
export class Session {
  private readonly socket: WebSocket
  private readonly sender: MessageSender
  private readonly turns: Turns
  private readonly source: HistorySource
  private readonly log: Log
  private readonly peer: string
  private request = NOTHING
  /** The next block to send. */
  private cursor = 0
  /** Positions of the request that were compared. */
  private compared = 0
  /** Messages that the reader still takes. */
  private credits = 0
  /** Versions of the statuses that are still to be answered. */
  private statuses: (0 | 1)[] = []
  private wake: (() => void) | undefined
  /** Something may have come since it was looked for the last time. */
  private is_awake = false

  private readonly onCompared: (() => void) | undefined

  /** @param onCompared called when the positions of a request are not needed any more */
  constructor(
    socket: WebSocket,
    source: HistorySource,
    {
      turns,
      peer,
      log,
      onCompared,
    }: { turns: Turns; peer: string; log: Log; onCompared?: () => void },
  ) {
    this.onCompared = onCompared
    this.socket = socket
    this.turns = turns
    this.sender = new MessageSender(socket)
    this.source = source
    this.peer = peer
    this.log = log
    // Answers to pings do not wait in memory for a reader that reads nothing.
    socket.on('ping', (data) => {
      if (socket.bufferedAmount === 0) socket.pong(data)
    })
    socket.on('message', (data: Buffer) => this.onMessage(data))
    socket.on('error', (error) => this.fail(error))
    socket.on('close', () => this.awake())
  }

  /** Bytes of the positions that are not compared yet. */
  get held_bytes(): number {
    return this.request.have_positions.bytes_count
  }

  /** Serves the reader; resolves when the connection has ended. */
  async run(): Promise<void> {
    try {
      await this.sender.sendText(STATE_HISTORY_ABI)
      while (this.sender.is_open) await this.step()
    } catch (error) {
      this.fail(error)
    }
  }

  /** A block became the head. After a fork switch, blocks that were sent are sent again. */
  blockApplied(block_num: number): void {
    if (block_num < this.cursor) this.cursor = block_num
    this.awake()
  }

  /** Looks again for something to send. */
  awake(): void {
    this.is_awake = true
    this.wake?.()
    this.wake = undefined
  }

  /** Ends the connection at once. */
  close(): void {
    this.socket.terminate()
  }

  private onMessage(data: Buffer): void {
    try {
      const message = unpackRequest(data)
      if (message.kind === 'status') this.statuses.push(message.version)
      else if (message.kind === 'ack') this.credits = (this.credits + message.num_messages) >>> 0
      else this.start(message.request)
    } catch (error) {
      return this.fail(error)
    }
    if (this.statuses.length >= MAX_WAITING) this.socket.pause()
    this.awake()
  }

  private start(request: BlocksRequest): void {
    this.request = request
    this.compared = 0
    this.cursor = request.start_block_num
    this.credits = request.max_messages_in_flight
  }

  /** Goes back to the first block that the reader has of another fork. They may be many: some at a time.
   *  Returns whether all were compared. */
  private comparePositions(): boolean {
    const { have_positions } = this.request
    if (have_positions.count === 0) return true
    const end = Math.min(this.compared + POSITIONS, have_positions.count)
    for (let i = this.compared; i < end; i++) {
      const { block_num, block_id } = have_positions.at(i)
      if (this.cursor <= block_num) continue
      const id = this.source.blockId(block_num)
      if (!id || !bytesEqual(id, block_id)) this.cursor = block_num
    }
    this.compared = end
    if (end < have_positions.count) return false
    // They are not needed any more.
    this.request = { ...this.request, have_positions: new PositionList() }
    this.onCompared?.()
    return true
  }

  /** Sends what can be sent, one block at most, or waits until there is something. */
  private async step(): Promise<void> {
    const next = await this.turns.take(() => this.next())
    if (!next) return
    const { status, statuses, message } = next
    if (statuses.length === 0 && !message) {
      if (this.is_awake) return
      return new Promise((resolve) => (this.wake = resolve))
    }
    try {
      for (const version of statuses) await this.sender.send(packStatus(status, version))
      if (message) await this.sendBlock(message)
    } finally {
      closeAll(message?.parts ?? [])
    }
  }

  /** What is to be sent; undefined if there is more to do first, or the connection has ended. */
  private next(): NextMessages | undefined {
    if (!this.sender.is_open || !this.comparePositions()) return undefined
    this.is_awake = false
    const statuses = this.statuses.splice(0)
    if (this.socket.isPaused) this.socket.resume()
    const { status } = this.source
    return { status, statuses, message: this.nextBlock(status) }
  }

  private nextBlock({ head, last_irreversible }: HistoryStatus): BlockMessage | undefined {
    const { source, request, cursor } = this
    const last = request.irreversible_only ? last_irreversible : head
    const is_wanted = cursor <= last.block_num && cursor < request.end_block_num
    if (this.credits === 0 || !is_wanted) return undefined
    const id = source.blockId(cursor)
    const result = {
      head,
      last_irreversible,
      this_block: position(cursor, id),
      prev_block: id && position(cursor - 1, source.blockId(cursor - 1)),
      block: id && request.fetch_block ? source.packedBlock(id) : undefined,
    }
    const parts = id ? this.partsOf(cursor, id) : NO_PARTS[request.version]
    this.cursor++
    this.credits--
    return { head: packBlocksResultHead(result, request.version), parts }
  }

  private partsOf(block_num: number, id: Uint8Array): readonly (LogEntry | undefined)[] {
    const { source, request } = this
    const parts: (LogEntry | undefined)[] = []
    try {
      parts.push(request.fetch_traces ? source.traces(block_num, id) : undefined)
      parts.push(request.fetch_deltas ? source.deltas(block_num, id) : undefined)
      if (request.version === 0) return parts
      parts.push(request.fetch_finality_data ? source.finalityData(block_num, id) : undefined)
      return parts
    } catch (error) {
      closeAll(parts)
      throw error
    }
  }

  private async sendBlock({ head, parts }: BlockMessage): Promise<void> {
    const { sender } = this
    await sender.add(head)
    for (const part of parts) {
      await sender.add(packPartHead(await part?.size()))
      if (!part) continue
      for await (const piece of part.pieces()) await sender.add(piece)
    }
    await sender.finish()
  }

  /** Ends the connection without a word, as the reference does. */
  private fail(error: unknown): void {
    if (!this.sender.is_open) return
    if (!(error instanceof Error)) throw error
    const detail = error instanceof ChainError ? error.message : String(error)
    const is_damage = error instanceof ChainError && error.is('plugin_exception')
    this.log(
      is_damage ? 'error' : 'info',
      `state history connection from ${this.peer} failed: ${detail}`,
    )
    this.socket.terminate()
    this.awake()
  }
}

function closeAll(parts: readonly (LogEntry | undefined)[]): void {
  for (const part of parts) part?.close()
}

function position(block_num: number, block_id: Uint8Array | undefined): BlockPosition | undefined {
  return block_id && { block_num, block_id }
}
