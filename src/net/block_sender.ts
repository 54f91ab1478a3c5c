/**
 * Sends old blocks to a peer that asks for them: one waits to be sent at a time.
 * spring: plugins/net_plugin/net_plugin.cpp (blk_send_branch, enqueue_sync_block)
 */
import { SECOND_US } from '../engine/protocol/constants.ts'
import { blockNumFromId } from '../engine/protocol/block.ts'
import { bytesEqual } from '../engine/protocol/hex.ts'
import { noIds } from '../engine/protocol/net/message.ts'
import { blockFrame } from './dispatcher.ts'
import type { NetworkState } from './network_state.ts'
import type { RemotePeer } from './remote_peer.ts'

/** `sync`: a span of irreversible blocks; `catch_up`: up to the head; `notice`: after a block_notice. */
type SpanKind = 'sync' | 'catch_up' | 'notice'

/** Blocks that a peer asked for. */
interface Span {
  kind: SpanKind
  start: number
  end: number
  /** The last one that was sent. */
  last: number
}

/** The blocks after a block_notice are recent ones. */
const MAX_AFTER_NOTICE = 100
/** A peer at the limit of its rate is looked at again after this. */
const THROTTLE_US = 100_000

/** What a peer gets while it asks for old blocks. */
export class BlockSender {
  /** Bytes of blocks that were sent to peers that asked for them. */
  bytes_sent = 0
  /** The peer gets no more at this moment, because of the limit of its rate. */
  throttled = false
  private readonly state: NetworkState
  private readonly peer: RemotePeer
  /** Bytes in a second; 0: no limit. */
  private readonly rate_limit: number
  private readonly refuse: () => void
  private span: Span | undefined
  private span_begin_us: number | undefined
  private span_bytes = 0
  /** A block waits to be sent. */
  private is_sending = false
  private cancelAlarm: () => void = () => {}

  /** @param refuse says that this node does not have what was asked for, and ends the connection */
  constructor(state: NetworkState, peer: RemotePeer, rate_limit: number, refuse: () => void) {
    this.state = state
    this.peer = peer
    this.rate_limit = rate_limit
    this.refuse = refuse
  }

  /** The connection ended. */
  reset(): void {
    this.cancel()
    this.is_sending = false
  }

  /** The peer wants no more. A block on its way is still waited for: else requests that are withdrawn at
   *  once would read one each. */
  cancel(): void {
    this.cancelAlarm()
    this.end()
  }

  /** A span is asked for; one in progress becomes longer. */
  request(start: number, end: number): void {
    if (this.span) this.span.end = Math.max(end, this.span.end)
    else this.span = { kind: 'sync', start, end, last: start - 1 }
    this.next()
  }

  /** The blocks after the peer's head are asked for. */
  requestBranch(head_id: Uint8Array): void {
    const { head_num } = this.state.position()
    if (head_num === 0) {
      const known_blocks = { ...noIds(), mode: 'normal' as const }
      return this.peer.send({ kind: 'notice', known_trx: noIds(), known_blocks })
    }
    if (this.peer.root_num === 0) return
    const num = blockNumFromId(head_id)
    if (num === 0) return this.sendBranch('catch_up', 0, this.peer.root_num, head_num)
    const mine = this.state.chain.blockId(num)
    if (mine === undefined) {
      this.peer.log('info', `requests blocks after block ${num}, which this node does not know`)
      return this.refuse()
    }
    const after = bytesEqual(mine, head_id) ? num : 0
    this.sendBranch('catch_up', after, this.peer.root_num, head_num)
  }

  /** Recent blocks are asked for after a block_notice: those from the peer's head on, or all after the
   *  last irreversible one if `known_id` is of another branch. */
  requestAfterNotice(known_id: Uint8Array, head_id: Uint8Array): void {
    const { head_num, root_num } = this.state.position()
    const mine = this.state.chain.blockId(blockNumFromId(known_id))
    const from =
      mine !== undefined && bytesEqual(mine, known_id) ? blockNumFromId(head_id) : root_num
    this.sendBranch('notice', from - 1, 0, head_num)
  }

  private sendBranch(kind: SpanKind, after: number, root_num: number, head_num: number): void {
    const { span } = this
    let end = head_num
    let last = after !== 0 ? after : root_num
    if (span !== undefined) {
      last = after !== 0 ? after : Math.min(span.last, root_num)
      end = Math.max(span.end, head_num)
      if (span.start <= last + 1 && span.end >= end) return
    }
    const is_valid =
      last >= 0 && end >= last + 1 && (kind !== 'notice' || end - last - 1 < MAX_AFTER_NOTICE)
    this.span = is_valid ? { kind, start: last + 1, end, last } : undefined
    if (is_valid) this.next()
  }

  /** Everything before was sent. */
  written(): void {
    this.is_sending = false
    this.next()
  }

  /** Sends the next block, unless one waits to be sent. */
  private next(): void {
    const { span } = this
    if (span === undefined || this.is_sending) return
    const num = span.last + 1
    const packed = this.state.chain.packedBlock(num)
    if (packed === undefined) {
      this.end()
      // A fork switch may be in progress; the peer gets notices of the new blocks.
      if (span.kind !== 'sync') return
      this.peer.log('info', `requests block ${num}, which this node does not have`)
      return this.refuse()
    }
    if (this.isAboveRate()) {
      this.throttled = true
      this.cancelAlarm()
      const at_us = this.state.now_us + THROTTLE_US
      this.cancelAlarm = this.state.clock.wakeAt(at_us, () =>
        this.state.tasks.run(() => this.next()),
      )
      return
    }
    this.throttled = false
    const framed = blockFrame(packed)
    span.last = num
    this.bytes_sent += framed.length
    this.span_bytes += framed.length
    this.peer.last_block_us = this.state.now_us
    if (num === span.end) this.end()
    this.is_sending = true
    this.peer.sendFramed(framed, 'sync')
  }

  private isAboveRate(): boolean {
    const { now_us } = this.state
    this.span_begin_us ??= now_us
    if (this.rate_limit === 0 || this.span_bytes === 0 || !this.peer.syncing_from_us) return false
    const elapsed_us = now_us - this.span_begin_us
    return this.span_bytes * SECOND_US >= this.rate_limit * elapsed_us
  }

  private end(): void {
    this.span = undefined
    this.span_begin_us = undefined
    this.span_bytes = 0
    this.throttled = false
  }
}
