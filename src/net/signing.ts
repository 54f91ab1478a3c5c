import { signDigest } from '../engine/crypto/keys.ts'
import { bytesEqual } from '../engine/protocol/hex.ts'
import type { NetworkState } from './network_state.ts'

/**
 * Signs a digest with the private key of a public key: one of `peer-private-key`, or one of this node's
 * producers. Returns undefined if it is not here.
 * spring: plugins/net_plugin/net_plugin.cpp (sign_compact)
 */
export function signWith(
  { options, chain }: NetworkState,
  public_key: Uint8Array,
  digest: Uint8Array,
): Uint8Array | undefined {
  const own = options.private_keys.find((pair) => bytesEqual(pair.public_key, public_key))
  return own ? signDigest(own.key, digest) : chain.signAs(public_key, digest)
}
