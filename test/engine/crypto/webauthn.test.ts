import { expect } from 'chai'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { recoverKey, signDigest } from '../../../src/engine/crypto/keys.ts'
import { publicKeyP256 } from '../../../src/engine/crypto/p256.ts'
import { parseClientData } from '../../../src/engine/crypto/webauthn_json.ts'
import { concatBytes, toHex, utf8ToBytes } from '../../../src/engine/protocol/hex.ts'
import { R1, WA } from '../../../src/engine/protocol/key.ts'
import { Writer } from '../../../src/engine/protocol/writer.ts'
import { refusal, refusalOf } from '../refusal.ts'

const SECRET = new Uint8Array(32).fill(5)
const DIGEST = sha256(utf8ToBytes('monkeys'))
const CHALLENGE = Buffer.from(DIGEST).toString('base64url')
const ORIGIN = 'https://fctesting.invalid'

interface Case {
  json?: string
  rpid?: string
  flags?: number
  authSize?: number
}

const client = (fields: Record<string, unknown>): string =>
  JSON.stringify({ origin: ORIGIN, type: 'webauthn.get', challenge: CHALLENGE, ...fields })

function signed({ json = client({}), rpid = 'fctesting.invalid', flags = 0, authSize = 37 }: Case) {
  const auth = new Uint8Array(authSize)
  auth.set(sha256(utf8ToBytes(rpid)).subarray(0, authSize))
  if (authSize > 32) auth[32] = flags
  const json_bytes = utf8ToBytes(json)
  const message = sha256(concatBytes(auth, sha256(json_bytes)))
  const signature = signDigest({ type: R1, data: SECRET }, message)
  const w = new Writer()
  w.u8(WA)
  w.raw(signature.subarray(1))
  w.blob(auth)
  w.blob(json_bytes)
  return w.bytes()
}

function publicKey(rpid: string, presence: number): string {
  const w = new Writer()
  w.u8(WA)
  w.raw(publicKeyP256(SECRET))
  w.u8(presence)
  w.string(rpid)
  return toHex(w.bytes())
}

const recovered = (c: Case): string => toHex(recoverKey(signed(c), DIGEST))
const refused = (c: Case): string => refusalOf(() => recoverKey(signed(c), DIGEST)).message

describe('WebAuthn signatures', () => {
  it('give the key with its relying party and how the user was checked', () => {
    expect(recovered({})).to.equal(publicKey('fctesting.invalid', 0))
    expect(recovered({ flags: 1 })).to.equal(publicKey('fctesting.invalid', 1))
    expect(recovered({ flags: 4 })).to.equal(publicKey('fctesting.invalid', 2))
    expect(recovered({ flags: 5 })).to.equal(publicKey('fctesting.invalid', 2))
  })

  it('may have a port, members of any kind, and padding', () => {
    const good = publicKey('fctesting.invalid', 0)
    for (const fields of [
      { origin: `${ORIGIN}:123456` },
      { origin: `${ORIGIN}:` },
      { cool: 'beans', obj: { array: [4, 5, 6] }, answer: 42 },
      { challenge: `${CHALLENGE}==` },
    ]) {
      expect(recovered({ json: client(fields) })).to.equal(good)
    }
    const rpid = 'other.invalid'
    expect(recovered({ rpid, json: client({ origin: `https://${rpid}` }) })).to.equal(
      publicKey(rpid, 0),
    )
  })

  it('are refused as the reference refuses them', () => {
    const cases: [Case, string][] = [
      [{ json: client({ origin: 'http://fctesting.invalid' }) }, 'must begin with https://'],
      [{ json: client({ origin: 'fctesting.invalid' }) }, 'must begin with https://'],
      [{ json: client({ origin: '' }) }, 'must begin with https://'],
      [{ json: client({ origin: undefined }) }, 'must begin with https://'],
      [{ json: client({ challenge: 'blahBLAH' }) }, 'sha256: size mismatch'],
      [{ json: client({ challenge: 'hello@world$' }) }, 'encountered non-base64 character'],
      [{ json: client({ challenge: `${CHALLENGE}.` }) }, 'encountered non-base64 character'],
      [{ json: client({ challenge: `${CHALLENGE}abcd` }) }, 'size mismatch'],
      [{ json: client({ challenge: undefined }) }, 'size mismatch'],
      [
        { json: client({ challenge: Buffer.from(sha256(DIGEST)).toString('base64url') }) },
        'Wrong webauthn challenge',
      ],
      [{ json: client({ type: 'webauthn.meh' }) }, 'not an assertion'],
      [{ json: client({ type: undefined }) }, 'not an assertion'],
      [{ rpid: 'mallory.invalid' }, "rpid hash doesn't match origin"],
      [{ authSize: 1 }, 'auth_data not as large as required'],
      [{ json: 'hey man' }, 'Failed to parse client data JSON'],
    ]
    for (const [c, message] of cases) expect(refused(c), message).to.contain(message)
  })

  it('are refused when the curve part is damaged', () => {
    const bytes = signed({})
    bytes[1] = 30
    expect(refusal(() => recoverKey(bytes, DIGEST))).to.equal('exception')
    expect(refusal(() => recoverKey(bytes.subarray(0, 60), DIGEST))).to.equal(
      'out_of_range_exception',
    )
  })
})

describe('client data', () => {
  const parse = (text: string) => parseClientData(Buffer.from(text, 'utf8'))

  it('is read with every kind of value', () => {
    const text = `{ "a": [1, -2.5e3, true, null, {"x": [], "y": {}}, "s"], "origin" :"o",
      "type":"t\\u00e9\\ud83d\\ude00\\n\\"", "challenge":"c", "challenge":"d"}`
    const { origin, type, challenge } = parse(text)
    expect({ origin, challenge }).to.deep.equal({ origin: 'o', challenge: 'd' })
    expect(Buffer.from(type, 'latin1').toString('utf8')).to.equal('té😀\n"')
    expect(parse('{}')).to.deep.equal({ origin: '', type: '', challenge: '' })
  })

  it('keeps raw bytes of strings, and ends at a zero byte', () => {
    expect(Buffer.from(parse('{"type":"é"}').type, 'latin1').toString('utf8')).to.equal('é')
    expect(parse('{"type":"t"}\0 anything').type).to.equal('t')
    expect(parse('{"type\\u0000x":"t"}').type).to.equal('t')
  })

  it('does not overflow the stack', () => {
    const depth = 200000
    const text = `{"a":${'['.repeat(depth)}${']'.repeat(depth)},"type":"t"}`
    expect(parse(text).type).to.equal('t')
  })

  it('is refused when malformed', () => {
    for (const text of [
      '',
      '[]',
      '"x"',
      '{',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{"a":1}}',
      '{"a":1} x',
      '{"a":[1,]}',
      '{"a":[1}',
      '{"a":{"b":1]}',
      '{"a":{1:2}}',
      '{"a":01}',
      '{"a":1.}',
      '{"a":+1}',
      '{"a":1e999}',
      '{"a":nul}',
      '{"a":"\n"}',
      '{"a":"\\x"}',
      '{"a":"\\ud800"}',
      '{"a":"\\ude00"}',
      '{"a":"',
      '{"type":1}',
      '{"origin":null}',
      '{"challenge":{}}',
    ]) {
      expect(
        refusal(() => parse(text)),
        text,
      ).to.equal('assert_exception')
    }
  })
})
