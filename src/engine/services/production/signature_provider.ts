import { privateKeyFromString } from '../../crypto/private_key.ts'
import type { PrivateKey } from '../../crypto/private_key.ts'
import { ChainError } from '../../errors.ts'
import { OptionError } from '../../options/option_error.ts'
import { blsPrivateKeyFromString, blsPublicKeyFromString } from '../../protocol/bls_text.ts'
import { publicKeyFromString } from '../../protocol/key.ts'

const OPTION = 'signature-provider'
const BLS = 'PUB_BLS_'
/** Only text that starts like a public key is shown; everything else may be a private key. */
const PUBLIC_TEXT = /^(?:EOS|PUB_[A-Z0-9]+_)[0-9A-Za-z_-]*/
/** Kinds of providers that the reference has; other text after the key may be a secret. */
const KINDS_ELSEWHERE = ['KEOSD', 'SE']
const FORM = 'write PUBLIC_KEY=KEY:PRIVATE_KEY'

/** A value of the option signature-provider. Whether the keys are a pair is not known yet. */
export type SignatureProvider = {
  readonly public_text: string
  readonly public_key: Uint8Array
} & (
  | { readonly signs: 'blocks'; readonly private_key: PrivateKey }
  | { readonly signs: 'votes'; readonly secret: Uint8Array }
)

/**
 * Reads `PUBLIC=KEY:PRIVATE`.
 * @throws OptionError whose text does not have the private key
 */
export function readSignatureProvider(spec: string): SignatureProvider {
  const { public_text, private_text } = takeApart(spec)
  const not_public = `${OPTION} ${public_text}: this is not a whole public key`
  const not_private = `${OPTION} ${public_text}: what follows KEY: is not a whole private key of this kind`
  if (public_text.startsWith(BLS)) {
    const public_key = orElse(() => blsPublicKeyFromString(public_text), not_public)
    const secret = orElse(() => blsPrivateKeyFromString(private_text), not_private)
    return { signs: 'votes', public_text, public_key, secret }
  }
  const public_key = orElse(() => publicKeyFromString(public_text), not_public)
  const private_key = orElse(() => privateKeyFromString(private_text), not_private)
  return { signs: 'blocks', public_text, public_key, private_key }
}

function takeApart(spec: string): { public_text: string; private_text: string } {
  const [shown = ''] = PUBLIC_TEXT.exec(spec) ?? []
  const wrong = (what: string) => new OptionError(`${OPTION} "${shown}…": ${what}; ${FORM}`)
  if (shown === '') throw wrong('it does not begin with a public key (EOS… or PUB_…)')
  // In base64 a key may end with =.
  const rest = /^=*=(.*)$/s.exec(spec.slice(shown.length))?.[1]
  if (rest === undefined) throw wrong('there is no = after the public key')
  const kind = /^([A-Z]+):/.exec(rest)?.[1]
  if (kind !== undefined && KINDS_ELSEWHERE.includes(kind)) {
    throw wrong(`a provider of the kind ${kind} is refused, because this node uses no wallet`)
  }
  if (kind !== 'KEY') throw wrong('there is no KEY: after the =')
  const private_text = rest.slice('KEY:'.length)
  if (private_text === '') throw wrong('there is no private key after KEY:')
  return { public_text: shown, private_text }
}

/** The result of `parse`; its errors, which may have the text of the key, are replaced by `message`. */
function orElse<T>(parse: () => T, message: string): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new OptionError(message)
  }
}
