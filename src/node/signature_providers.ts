import {
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

/** `PUBLIC=KEY:PRIVATE`, taken apart. */
interface Provider {
  public_text: string
  private_text: string
}

function providers(values: OptionValues): Provider[] {
  return values.list(OPTION).map((spec) => {
    const match = /^([^=]+)=KEY:(.+)$/.exec(spec)
    const [, public_text, private_text] = match ?? []
    if (public_text === undefined || private_text === undefined) {
      const name = spec.split('=')[0]
      throw new OptionError(`${OPTION} "${name}=…": write PUBLIC_KEY=KEY:PRIVATE_KEY`)
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
    const { public_text, private_text } = provider
    if (public_text.startsWith(BLS)) continue
    const public_key = parsed(OPTION, public_text, publicKeyFromString)
    // The text of a private key must not reach a message.
    const private_key = parsed(OPTION, private_text, privateKeyFromString, '(hidden)')
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
    const { public_text, private_text } = provider
    const public_key = parsed(OPTION, public_text, blsPublicKeyFromString)
    const [secret, own] = parsed(
      OPTION,
      private_text,
      (text) => {
        const secret = blsPrivateKeyFromString(text)
        return [secret, blsPublicKeyOf(secret)] as const
      },
      '(hidden)',
    )
    checkPair(public_text, public_key, own)
    keys.set(toHex(public_key), secret)
  }
  return keys
}

function checkPair(public_text: string, public_key: Uint8Array, own: Uint8Array): void {
  if (toHex(own) === toHex(public_key)) return
  throw new OptionError(`${OPTION} ${public_text}: the private key is another one's`)
}
