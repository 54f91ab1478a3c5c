/**
 * Handshakes: what this node says about itself, and whether a peer's is acceptable.
 * spring: plugins/net_plugin/net_plugin.cpp (populate_handshake, is_valid, authenticate_peer)
 */
import { ChainError } from '../engine/errors.ts'
import { sha256 } from '../engine/crypto/hash.ts'
import { recoverKey, signDigest } from '../engine/crypto/keys.ts'
import { bytesEqual, latin1FromBytes, toHex, utf8ToBytes } from '../engine/protocol/hex.ts'
import { NET_VERSION_BASE, type Handshake } from '../engine/protocol/net/message.ts'
import { Writer } from '../engine/protocol/writer.ts'
import { MAX_HANDSHAKE_TEXT } from './address.ts'
import type { NetworkOptions } from './network_options.ts'
import type { NetworkState } from './network_state.ts'

const NO_KEY = new Uint8Array(34)
const NO_SIGNATURE = new Uint8Array(66)
const NO_HASH = new Uint8Array(32)
/** Characters of a node id in the address of a handshake. */
const SHORT_ID = 7

/** What depends on the connection. */
export interface HandshakeArguments {
  /** The version that this node claims to speak. */
  version: number
  p2p_address: string
  generation: number
}

/** The name that node:process has for the system -> the name of the reference. */
const SYSTEMS: Readonly<Record<string, string>> = {
  darwin: 'osx',
  linux: 'linux',
  win32: 'win32',
}

/** The first characters of a node id, for logs and addresses. */
export function shortId(node_id: Uint8Array): string {
  return toHex(node_id).slice(0, SHORT_ID)
}

/** The hash of a time in nanoseconds, which a node signs. */
export function timeToken(time: bigint): Uint8Array {
  const w = new Writer(8)
  w.i64(time)
  return sha256(w.view())
}

/** A handshake of this node. */
export function makeHandshake(state: NetworkState, given: HandshakeArguments): Handshake {
  const { root_num, root_id, fork_head_num, fork_head_id } = state.position()
  const time = BigInt(state.now_us) * 1000n
  const [signer] = state.options.private_keys
  const token = signer && timeToken(time)
  return {
    kind: 'handshake',
    network_version: NET_VERSION_BASE + given.version,
    chain_id: state.chain.chain_id,
    node_id: state.node_id,
    key: signer?.public_key ?? NO_KEY,
    time,
    token: token ?? NO_HASH,
    sig: signer && token ? signDigest(signer.key, token) : NO_SIGNATURE,
    p2p_address: `${asBytes(given.p2p_address)} - ${shortId(state.node_id)}`,
    fork_db_root_num: root_num,
    fork_db_root_id: root_id,
    fork_db_head_num: fork_head_num,
    fork_db_head_id: fork_head_id,
    os: SYSTEMS[process.platform] ?? 'other',
    agent: asBytes(state.options.agent_name),
    generation: given.generation,
  }
}

/** Texts of messages hold one byte in each character. */
function asBytes(text: string): string {
  return latin1FromBytes(utf8ToBytes(text))
}

/** Why a handshake is none; undefined if its form is right. */
export function handshakeFault(message: Handshake): string | undefined {
  if (message.fork_db_root_num > message.fork_db_head_num) {
    return 'the last irreversible block is after the best block'
  }
  if (message.p2p_address === '') return 'p2p_address is empty'
  if (message.os === '') return 'os is empty'
  for (const field of ['p2p_address', 'os', 'agent'] as const) {
    if (message[field].length > MAX_HANDSHAKE_TEXT) return `${field} is too long`
  }
  const is_signed = !isZero(message.sig) || !isZero(message.token)
  if (is_signed && !bytesEqual(message.token, timeToken(message.time))) return 'token is invalid'
  return undefined
}

/** Not every node may connect. */
export function restrictsPeers({ allowed }: NetworkOptions): boolean {
  return !allowed.any || allowed.producers || allowed.specified
}

/** Whether the peer may connect: by the keys that this node allows. */
export function isAuthentic(state: NetworkState, message: Handshake): boolean {
  const { allowed, peer_keys, private_keys } = state.options
  if (!restrictsPeers(state.options)) return true
  if (!allowed.producers && !allowed.specified) return false
  const known =
    peer_keys.has(toHex(message.key)) ||
    private_keys.some(({ public_key }) => bytesEqual(public_key, message.key)) ||
    state.chain.hasProducerKey(message.key)
  if (!known || isZero(message.sig) || isZero(message.token)) return false
  if (!bytesEqual(message.token, timeToken(message.time))) return false
  try {
    return bytesEqual(recoverKey(message.sig, message.token), message.key)
  } catch (error) {
    if (error instanceof ChainError) return false
    throw error
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}
