/**
 * Messages between peers in the wire format, without the length that leads each.
 * spring: plugins/net_plugin/include/eosio/net_plugin/{protocol,buffer_factory}.hpp
 */
import { check } from '../../errors.ts'
import { packSignedBlock, unpackSignedBlock } from '../block.ts'
import { readPublicKey, readSignature, writePublicKey, writeSignature } from '../key.ts'
import { packPackedTransaction, unpackPackedTransaction } from '../packed_transaction.ts'
import { Reader } from '../reader.ts'
import { packVote, unpackVote } from '../vote.ts'
import { Writer } from '../writer.ts'
import {
  GO_AWAY_REASONS,
  ID_LIST_MODES,
  MESSAGE_KINDS,
  type BlockNack,
  type BlockNotice,
  type BpPeer,
  type BpPeerInfo,
  type ChainSize,
  type GoAway,
  type GossipBpPeers,
  type Handshake,
  type IdList,
  type MessageKind,
  type NetMessage,
  type Notice,
  type Request,
  type SyncRequest,
  type TimeMessage,
} from './message.ts'

/** How one kind of message is read and written, without its number. */
interface Codec<M extends NetMessage> {
  read(r: Reader): M
  write(w: Writer, message: M): void
}

const CODECS: { [K in MessageKind]: Codec<Extract<NetMessage, { kind: K }>> } = {
  handshake: { read: readHandshake, write: writeHandshake },
  chain_size: { read: readChainSize, write: writeChainSize },
  go_away: { read: readGoAway, write: writeGoAway },
  time: { read: readTime, write: writeTime },
  notice: { read: readNotice, write: writeNotice },
  request: { read: readRequest, write: writeRequest },
  sync_request: { read: readSyncRequest, write: writeSyncRequest },
  signed_block: {
    read: (r) => ({ kind: 'signed_block', block: unpackSignedBlock(r) }),
    write: (w, { block }) => packSignedBlock(w, block),
  },
  packed_transaction: {
    read: (r) => ({ kind: 'packed_transaction', packed: unpackPackedTransaction(r) }),
    write: (w, { packed }) => packPackedTransaction(w, packed),
  },
  vote: {
    read: (r) => ({ kind: 'vote', vote: unpackVote(r) }),
    write: (w, { vote }) => packVote(w, vote),
  },
  block_nack: { read: readBlockNack, write: (w, { id }) => w.raw(id) },
  block_notice: { read: readBlockNotice, write: writeBlockNotice },
  gossip_bp_peers: { read: readGossip, write: writeGossip },
}

/** The kind of the message that the reader is at; moves over its number.
 *  @throws ChainError plugin_exception for the number of an unknown kind */
export function readMessageKind(r: Reader): MessageKind {
  const number = r.varuint32()
  const kind = MESSAGE_KINDS[number]
  check(kind !== undefined, 'plugin_exception', () => `Invalid net_message index: ${number}`)
  return kind
}

/**
 * Reads a whole message. Its byte strings are views of the source.
 * @throws ChainError for bytes that are not a message, or that remain after it
 */
export function decodeMessage(bytes: Uint8Array): NetMessage {
  const r = new Reader(bytes)
  const message = CODECS[readMessageKind(r)].read(r)
  checkEnd(r)
  return message
}

/** Refuses bytes after the end of a message. @throws ChainError plugin_exception */
export function checkEnd(r: Reader): void {
  check(r.remaining() === 0, 'plugin_exception', () => `${r.remaining()} bytes after a message`)
}

/** Writes a message without its length. */
export function encodeMessage(message: NetMessage): Uint8Array {
  const w = new Writer()
  w.varuint32(kindNumber(message.kind))
  const codec = CODECS[message.kind] as Codec<NetMessage>
  codec.write(w, message)
  return w.bytes()
}

/** The number of a kind of message. */
export function kindNumber(kind: MessageKind): number {
  return MESSAGE_KINDS.indexOf(kind)
}

function readHandshake(r: Reader): Handshake {
  return {
    kind: 'handshake',
    network_version: r.u16(),
    chain_id: r.checksum256(),
    node_id: r.checksum256(),
    key: readPublicKey(r),
    time: r.i64(),
    token: r.checksum256(),
    sig: readSignature(r),
    p2p_address: r.byteString(),
    fork_db_root_num: r.u32(),
    fork_db_root_id: r.checksum256(),
    fork_db_head_num: r.u32(),
    fork_db_head_id: r.checksum256(),
    os: r.byteString(),
    agent: r.byteString(),
    generation: r.i16(),
  }
}

function writeHandshake(w: Writer, m: Handshake): void {
  w.u16(m.network_version)
  w.raw(m.chain_id)
  w.raw(m.node_id)
  writePublicKey(w, m.key)
  w.i64(m.time)
  w.raw(m.token)
  writeSignature(w, m.sig)
  w.byteString(m.p2p_address)
  w.u32(m.fork_db_root_num)
  w.raw(m.fork_db_root_id)
  w.u32(m.fork_db_head_num)
  w.raw(m.fork_db_head_id)
  w.byteString(m.os)
  w.byteString(m.agent)
  w.i16(m.generation)
}

function readChainSize(r: Reader): ChainSize {
  return {
    kind: 'chain_size',
    last_irreversible_block_num: r.u32(),
    last_irreversible_block_id: r.checksum256(),
    head_num: r.u32(),
    head_id: r.checksum256(),
  }
}

function writeChainSize(w: Writer, m: ChainSize): void {
  w.u32(m.last_irreversible_block_num)
  w.raw(m.last_irreversible_block_id)
  w.u32(m.head_num)
  w.raw(m.head_id)
}

function readGoAway(r: Reader): GoAway {
  const reason = r.u32()
  return { kind: 'go_away', reason: GO_AWAY_REASONS[reason] ?? reason, node_id: r.checksum256() }
}

function writeGoAway(w: Writer, { reason, node_id }: GoAway): void {
  w.u32(typeof reason === 'number' ? reason : GO_AWAY_REASONS.indexOf(reason))
  w.raw(node_id)
}

function readTime(r: Reader): TimeMessage {
  return { kind: 'time', org: r.i64(), rec: r.i64(), xmt: r.i64(), dst: r.i64() }
}

function writeTime(w: Writer, { org, rec, xmt, dst }: TimeMessage): void {
  for (const time of [org, rec, xmt, dst]) w.i64(time)
}

function readIds(r: Reader): IdList {
  const mode = r.u32()
  return {
    mode: ID_LIST_MODES[mode] ?? mode,
    pending: r.u32(),
    ids: r.array((r) => r.checksum256()),
  }
}

function writeIds(w: Writer, { mode, pending, ids }: IdList): void {
  w.u32(typeof mode === 'number' ? mode : ID_LIST_MODES.indexOf(mode))
  w.u32(pending)
  w.array(ids, (w, id) => w.raw(id))
}

function readNotice(r: Reader): Notice {
  return { kind: 'notice', known_trx: readIds(r), known_blocks: readIds(r) }
}

function writeNotice(w: Writer, { known_trx, known_blocks }: Notice): void {
  writeIds(w, known_trx)
  writeIds(w, known_blocks)
}

function readRequest(r: Reader): Request {
  return { kind: 'request', req_trx: readIds(r), req_blocks: readIds(r) }
}

function writeRequest(w: Writer, { req_trx, req_blocks }: Request): void {
  writeIds(w, req_trx)
  writeIds(w, req_blocks)
}

function readSyncRequest(r: Reader): SyncRequest {
  return { kind: 'sync_request', start_block: r.u32(), end_block: r.u32() }
}

function writeSyncRequest(w: Writer, { start_block, end_block }: SyncRequest): void {
  w.u32(start_block)
  w.u32(end_block)
}

function readBlockNack(r: Reader): BlockNack {
  return { kind: 'block_nack', id: r.checksum256() }
}

function readBlockNotice(r: Reader): BlockNotice {
  return { kind: 'block_notice', previous: r.checksum256(), id: r.checksum256() }
}

function writeBlockNotice(w: Writer, { previous, id }: BlockNotice): void {
  w.raw(previous)
  w.raw(id)
}

function readGossip(r: Reader): GossipBpPeers {
  return { kind: 'gossip_bp_peers', peers: r.array(readBpPeer) }
}

function writeGossip(w: Writer, { peers }: GossipBpPeers): void {
  w.array(peers, (w, peer) => {
    packBpPeer(w, peer)
    writeSignature(w, peer.sig)
  })
}

function readBpPeer(r: Reader): BpPeer {
  return {
    version: r.varuint32(),
    producer_name: r.name(),
    bp_peer_info: r.byteList(),
    sig: readSignature(r),
  }
}

/** Writes what a producer signs of its addresses, besides the chain id. spring: bp_peer::digest */
export function packBpPeer(w: Writer, peer: Omit<BpPeer, 'sig'>): void {
  w.varuint32(peer.version)
  w.name(peer.producer_name)
  w.blob(peer.bp_peer_info)
}

/** Reads the addresses of a block producer. spring: bp_peer_info_v1 */
export function unpackBpPeerInfo(r: Reader): BpPeerInfo {
  return {
    server_endpoint: r.byteString(),
    outbound_ip_address: r.byteString(),
    expiration: r.u32(),
  }
}

/** Writes the addresses of a block producer. */
export function packBpPeerInfo(w: Writer, info: BpPeerInfo): void {
  w.byteString(info.server_endpoint)
  w.byteString(info.outbound_ip_address)
  w.u32(info.expiration)
}
