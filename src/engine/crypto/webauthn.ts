/**
 * WebAuthn assertions as signatures: P-256 over authenticator data and client data, where the
 * digest is the challenge. spring: libraries/libfc/src/crypto/elliptic_webauthn.cpp
 */
import { check, fail } from '../errors.ts'
import { bytesEqual, concatBytes, fromBase64 } from '../protocol/hex.ts'
import { WA } from '../protocol/key.ts'
import { Reader } from '../protocol/reader.ts'
import { Writer } from '../protocol/writer.ts'
import { sha256 } from './hash.ts'
import { recoverP256 } from './p256.ts'
import { parseClientData } from './webauthn_json.ts'

const MIN_AUTH_DATA_SIZE = 37
const FLAGS_AT = 32
const FLAG_USER_PRESENT = 0x01
const FLAG_USER_VERIFIED = 0x04
const ORIGIN_SCHEME = 'https://'

/** The relying party: the origin's host without a port. Bytes, one a character. */
function relyingParty(origin: string): Uint8Array {
  check(
    origin.startsWith(ORIGIN_SCHEME),
    'assert_exception',
    'handler.found_origin.compare(0, https_len, required_origin_scheme) == 0: ' +
      'webauthn origin must begin with https://',
  )
  const colon = origin.lastIndexOf(':')
  const end = colon >= ORIGIN_SCHEME.length ? colon : origin.length
  return Uint8Array.from(Buffer.from(origin.slice(ORIGIN_SCHEME.length, end), 'latin1'))
}

function checkChallenge(challenge: string, digest: Uint8Array): void {
  const bytes = fromBase64(challenge, true)
  check(bytes.length === 32, 'exception', 'sha256: size mismatch')
  check(
    bytesEqual(bytes, digest),
    'assert_exception',
    'fc::sha256(challenge_bytes.data(), challenge_bytes.size()) == digest: Wrong webauthn challenge',
  )
}

/** The check of the user: 0 none, 1 present, 2 verified. */
function userPresence(flags: number): number {
  if (flags & FLAG_USER_VERIFIED) return 2
  return flags & FLAG_USER_PRESENT ? 1 : 0
}

/**
 * The packed public key of a packed WebAuthn signature.
 * @throws ChainError `assert_exception`, `exception`
 */
export function recoverWebauthn(signature: Uint8Array, digest: Uint8Array): Uint8Array {
  const r = new Reader(signature, 1)
  const compact = r.bytes(65)
  const auth_data = r.blob()
  const client_json = r.blob()
  const client = parseClientData(client_json)
  check(
    client.type === 'webauthn.get',
    'assert_exception',
    'handler.found_type == "webauthn.get": webauthn signature type not an assertion',
  )
  checkChallenge(client.challenge, digest)
  const rpid = relyingParty(client.origin)
  check(
    auth_data.length >= MIN_AUTH_DATA_SIZE,
    'assert_exception',
    'c.auth_data.size() >= min_auth_data_size: auth_data not as large as required',
  )
  check(
    bytesEqual(auth_data.subarray(0, 32), sha256(rpid)),
    'assert_exception',
    'memcmp(c.auth_data.data(), fc::sha256::hash(rpid).data(), sizeof(fc::sha256)) == 0: ' +
      "webauthn rpid hash doesn't match origin",
  )
  const signed = sha256(concatBytes(auth_data, sha256(client_json)))
  const recovery = (compact[0] as number) - 31
  if (recovery < 0 || recovery > 3) failRecovery()
  const key = recoverP256(compact.subarray(1), recovery, signed) ?? failRecovery()
  const w = new Writer(64 + rpid.length)
  w.u8(WA)
  w.raw(key)
  w.u8(userPresence(auth_data[FLAGS_AT] as number))
  w.blob(rpid)
  return w.bytes()
}

function failRecovery(): never {
  fail('exception', 'unable to reconstruct public key from signature')
}
