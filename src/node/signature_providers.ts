import {
  blsPublicKeyOf,
  publicKeyOf,
  readSignatureProvider,
  toHex,
  type NodeFacts,
  type SignatureProvider,
} from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import {
  DEVELOPMENT_BLS_PRIVATE_KEY,
  DEVELOPMENT_BLS_PUBLIC_KEY,
  DEVELOPMENT_PRIVATE_KEY,
  DEVELOPMENT_PUBLIC_KEY,
} from './development.ts'

const OPTION = 'signature-provider'
const WELL_KNOWN = `${DEVELOPMENT_PUBLIC_KEY}=KEY:${DEVELOPMENT_PRIVATE_KEY}`
const WELL_KNOWN_FINALIZER = `${DEVELOPMENT_BLS_PUBLIC_KEY}=KEY:${DEVELOPMENT_BLS_PRIVATE_KEY}`

function providers(values: OptionValues): readonly SignatureProvider[] {
  return values.parsed(OPTION, readSignatureProvider)
}

/**
 * The keys that blocks are signed with; the development key when no key at all is given.
 * @throws OptionError for a pair of keys that do not belong to each other
 */
export function signingKeys(values: OptionValues): NodeFacts['signing_keys'] {
  const given = providers(values)
  const keys = new Map()
  for (const provider of given.length > 0 ? given : [readSignatureProvider(WELL_KNOWN)]) {
    if (provider.signs !== 'blocks') continue
    checkPair(provider, publicKeyOf(provider.private_key))
    keys.set(toHex(provider.public_key), provider.private_key)
  }
  return keys
}

/**
 * The BLS keys of this node's finalizers; the well-known key on a development chain without keys.
 * Maps the public key in hexadecimal to the secret number.
 * @throws OptionError for a pair of keys that do not belong to each other
 */
export function finalizerKeys(values: OptionValues, development: boolean): Map<string, Uint8Array> {
  const keys = new Map<string, Uint8Array>()
  for (const provider of providers(values)) {
    if (provider.signs !== 'votes') continue
    checkPair(provider, blsPublicKeyOf(provider.secret))
    keys.set(toHex(provider.public_key), provider.secret)
  }
  if (keys.size > 0 || !development) return keys
  // They are not checked: to make a public key takes a good part of a start, and these are a pair.
  const well_known = readSignatureProvider(WELL_KNOWN_FINALIZER)
  if (well_known.signs === 'votes') keys.set(toHex(well_known.public_key), well_known.secret)
  return keys
}

function checkPair({ public_key, public_text }: SignatureProvider, own: Uint8Array): void {
  if (toHex(own) === toHex(public_key)) return
  throw new OptionError(
    `${OPTION} ${public_text}: the private key belongs to another public key than this`,
  )
}
