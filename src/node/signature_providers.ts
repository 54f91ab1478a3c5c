import {
  ChainError,
  blsPrivateKeyFromString,
  blsPublicKeyFromString,
  blsPublicKeyOf,
  privateKeyFromString,
  publicKeyFromString,
  publicKeyOf,
  toHex,
  type EngineOptions,
} from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import {
  DEVELOPMENT_BLS_PRIVATE_KEY,
  DEVELOPMENT_BLS_PUBLIC_KEY,
  DEVELOPMENT_PRIVATE_KEY,
  DEVELOPMENT_PUBLIC_KEY,
} from './development.ts'
import { parsed } from './option_text.ts'

const OPTION = 'signature-provider'
const BLS = 'PUB_BLS_'
/** What begins like a public key may be shown, and nothing else: it may be a private key. */
const PUBLIC_TEXT = /^(?:EOS|PUB_[A-Z0-9]+_)[0-9A-Za-z_-]*/

/** `PUBLIC=KEY:PRIVATE`, taken apart. */
interface Provider {
  public_text: string
  private_text: string
}

function providers(values: OptionValues): Provider[] {
  return values.list(OPTION).map((spec) => {
    const [, public_text, private_text] = /^([^=]+)=KEY:(.+)$/.exec(spec) ?? []
    const [shown = ''] = PUBLIC_TEXT.exec(spec) ?? []
    if (public_text === undefined || private_text === undefined || public_text !== shown) {
      throw new OptionError(`${OPTION} "${shown}…": write PUBLIC_KEY=KEY:PRIVATE_KEY`)
    }
    return { public_text, private_text }
  })
}

/** The keys that blocks are signed with; the development key when no key at all is given. */
export function signingKeys(values: OptionValues): EngineOptions['producer']['signing_keys'] {
  const given = providers(values)
  const development = {
    public_text: DEVELOPMENT_PUBLIC_KEY,
    private_text: DEVELOPMENT_PRIVATE_KEY,
  }
  const keys = new Map()
  for (const provider of given.length > 0 ? given : [development]) {
    const { public_text } = provider
    if (public_text.startsWith(BLS)) continue
    const public_key = parsed(OPTION, public_text, publicKeyFromString)
    const private_key = parsedSecret(provider, privateKeyFromString)
    checkPair(public_text, public_key, publicKeyOf(private_key))
    keys.set(toHex(public_key), private_key)
  }
  return keys
}

/** The keys that this node votes with; on a development chain the well-known one when none is given.
 *  Secret numbers by public key in hex. */
export function finalizerKeys(values: OptionValues, development: boolean): Map<string, Uint8Array> {
  const given = providers(values).filter(({ public_text }) => public_text.startsWith(BLS))
  const well_known = {
    public_text: DEVELOPMENT_BLS_PUBLIC_KEY,
    private_text: DEVELOPMENT_BLS_PRIVATE_KEY,
  }
  const keys = new Map<string, Uint8Array>()
  for (const provider of given.length === 0 && development ? [well_known] : given) {
    const { public_text } = provider
    const public_key = parsed(OPTION, public_text, blsPublicKeyFromString)
    const secret = parsedSecret(provider, blsPrivateKeyFromString)
    const own = blsPublicKeyOf(secret)
    checkPair(public_text, public_key, own)
    keys.set(toHex(public_key), secret)
  }
  return keys
}

/** The text of a private key must not reach a message, and what parsers say has it. */
function parsedSecret<T>(provider: Provider, parse: (text: string) => T): T {
  try {
    return parse(provider.private_text)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new OptionError(`${OPTION} ${provider.public_text}: what follows is no private key`)
  }
}

function checkPair(public_text: string, public_key: Uint8Array, own: Uint8Array): void {
  if (toHex(own) === toHex(public_key)) return
  throw new OptionError(`${OPTION} ${public_text}: the private key is another one's`)
}
