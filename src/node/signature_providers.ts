import {
  ChainError,
  blsPrivateKeyFromString,
  blsPublicKeyFromString,
  blsPublicKeyOf,
  privateKeyFromString,
  publicKeyFromString,
  publicKeyOf,
  toHex,
  type NodeFacts,
} from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import {
  DEVELOPMENT_BLS_PRIVATE_KEY,
  DEVELOPMENT_BLS_PUBLIC_KEY,
  DEVELOPMENT_PRIVATE_KEY,
  DEVELOPMENT_PUBLIC_KEY,
} from './development.ts'

const OPTION = 'signature-provider'
const BLS = 'PUB_BLS_'
/** Only text that starts like a public key is shown; everything else may be a private key. */
const PUBLIC_TEXT = /^(?:EOS|PUB_[A-Z0-9]+_)[0-9A-Za-z_-]*/

/** `PUBLIC=KEY:PRIVATE`, taken apart. */
interface Provider {
  public_text: string
  private_text: string
}

/** Kinds of providers that the reference has; other text after the key may be a secret. */
const KINDS_ELSEWHERE = ['KEOSD', 'SE']
const FORM = 'write PUBLIC_KEY=KEY:PRIVATE_KEY'

function providers(values: OptionValues): Provider[] {
  return values.list(OPTION).map(providerOf)
}

function providerOf(spec: string): Provider {
  const [shown = ''] = PUBLIC_TEXT.exec(spec) ?? []
  const wrong = (what: string) => new OptionError(`${OPTION} "${shown}…": ${what}; ${FORM}`)
  if (shown === '') throw wrong('it does not begin with a public key (EOS… or PUB_…)')
  // In base64 a key may end with =.
  const rest = /^=*=(.*)$/s.exec(spec.slice(shown.length))?.[1]
  if (rest === undefined) throw wrong('there is no = after the public key')
  const kind = /^([A-Z]+):/.exec(rest)?.[1]
  if (kind !== undefined && KINDS_ELSEWHERE.includes(kind)) {
    throw wrong(`a provider of the kind ${kind} is refused, since this node asks no wallet`)
  }
  if (kind !== 'KEY') throw wrong('there is no KEY: after the =')
  const private_text = rest.slice('KEY:'.length)
  if (private_text === '') throw wrong('there is no private key after KEY:')
  return { public_text: shown, private_text }
}

/** The keys that blocks are signed with; the development key when no key at all is given. */
export function signingKeys(values: OptionValues): NodeFacts['signing_keys'] {
  const given = providers(values)
  const development = {
    public_text: DEVELOPMENT_PUBLIC_KEY,
    private_text: DEVELOPMENT_PRIVATE_KEY,
  }
  const keys = new Map()
  for (const provider of given.length > 0 ? given : [development]) {
    const { public_text } = provider
    if (public_text.startsWith(BLS)) continue
    const public_key = parsedPublic(public_text, publicKeyFromString)
    const private_key = parsedSecret(provider, privateKeyFromString)
    checkPair(public_text, public_key, publicKeyOf(private_key))
    keys.set(toHex(public_key), private_key)
  }
  return keys
}

/**
 * The BLS keys of this node's finalizers; the well-known key on a development chain without keys.
 * Maps the public key in hexadecimal to the secret number.
 */
export function finalizerKeys(values: OptionValues, development: boolean): Map<string, Uint8Array> {
  const given = providers(values).filter(({ public_text }) => public_text.startsWith(BLS))
  const well_known = {
    public_text: DEVELOPMENT_BLS_PUBLIC_KEY,
    private_text: DEVELOPMENT_BLS_PRIVATE_KEY,
  }
  const keys = new Map<string, Uint8Array>()
  for (const provider of given.length === 0 && development ? [well_known] : given) {
    const { public_text } = provider
    const public_key = parsedPublic(public_text, blsPublicKeyFromString)
    const secret = parsedSecret(provider, blsPrivateKeyFromString)
    // Making a public key takes a good part of a start, and the well-known ones are a pair.
    if (provider !== well_known) checkPair(public_text, public_key, blsPublicKeyOf(secret))
    keys.set(toHex(public_key), secret)
  }
  return keys
}

function parsedPublic(text: string, parse: (text: string) => Uint8Array): Uint8Array {
  return orElse(() => parse(text), `${OPTION} ${text}: this is not a whole public key`)
}

/** The text of a private key must not reach a message, and what parsers say has it. */
function parsedSecret<T>(provider: Provider, parse: (text: string) => T): T {
  const what = 'what follows KEY: is not a whole private key of this kind'
  return orElse(() => parse(provider.private_text), `${OPTION} ${provider.public_text}: ${what}`)
}

/** The result of `parse`; its errors are reported in plain words. */
function orElse<T>(parse: () => T, message: string): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new OptionError(message)
  }
}

function checkPair(public_text: string, public_key: Uint8Array, own: Uint8Array): void {
  if (toHex(own) === toHex(public_key)) return
  throw new OptionError(
    `${OPTION} ${public_text}: the private key belongs to another public key than this`,
  )
}
