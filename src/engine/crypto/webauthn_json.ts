/**
 * The client data of a WebAuthn assertion, read as the reference reads it, byte by byte: what it
 * accepts is consensus. spring: libraries/libfc/src/crypto/elliptic_webauthn.cpp over rapidjson.
 *
 * The text is an object whose members `challenge`, `origin` and `type` must be strings; a later
 * member of the same name wins; other members may hold anything.
 */
import { check } from '../errors.ts'

const PARSE =
  'reader.Parse<detail::rapidjson::kParseIterativeFlag>(ss, handler): ' +
  'Failed to parse client data JSON'

/** Byte strings, held one byte a character. */
export interface ClientData {
  challenge: string
  origin: string
  type: string
}

function bad(): never {
  check(false, 'assert_exception', PARSE)
}

/** UTF-8 bytes of a code point, one byte a character. */
function encode(code: number): string {
  if (code < 0x80) return String.fromCharCode(code)
  if (code < 0x800) return String.fromCharCode(0xc0 | (code >> 6), 0x80 | (code & 63))
  if (code < 0x10000) {
    return String.fromCharCode(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
  }
  return String.fromCharCode(
    0xf0 | (code >> 18),
    0x80 | ((code >> 12) & 63),
    0x80 | ((code >> 6) & 63),
    0x80 | (code & 63),
  )
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const SPACE = /[ \t\n\r]*/y

class Parser {
  private pos = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.pos
    const found = pattern.exec(this.text)?.[0] ?? ''
    this.pos += found.length
    return found
  }

  private space(): void {
    this.match(SPACE)
  }

  private take(word: string): boolean {
    if (!this.text.startsWith(word, this.pos)) return false
    this.pos += word.length
    return true
  }

  private hex4(): number {
    const digits = this.text.slice(this.pos, this.pos + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) bad()
    this.pos += 4
    return parseInt(digits, 16)
  }

  private unicode(): string {
    const first = this.hex4()
    if (first < 0xd800 || first > 0xdfff) return encode(first)
    if (first > 0xdbff || !this.take('\\u')) bad()
    const second = this.hex4()
    if (second < 0xdc00 || second > 0xdfff) bad()
    return encode(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
  }

  private string(): string {
    if (!this.take('"')) bad()
    let out = ''
    for (;;) {
      const c = this.text[this.pos++]
      if (c === undefined || c < ' ') bad()
      if (c === '"') return out
      if (c !== '\\') {
        out += c
        continue
      }
      const escape = this.text[this.pos++]
      if (escape === 'u') out += this.unicode()
      else out += ESCAPES[escape ?? ''] ?? bad()
    }
  }

  private number(): void {
    const text = this.match(NUMBER)
    if (text === '' || !Number.isFinite(Number(text))) bad()
  }

  /** Moves over a value of any kind. Iterative: nesting costs no stack. */
  private skip(): void {
    const open: string[] = []
    do {
      this.space()
      const c = this.text[this.pos]
      if (c === '{' || c === '[') {
        this.pos++
        this.space()
        const close = c === '{' ? '}' : ']'
        if (!this.take(close)) {
          open.push(close)
          if (close === '}') this.key()
          continue
        }
      } else this.scalar(c)
      this.closeFinished(open)
    } while (open.length > 0)
  }

  /** After a value inside containers: closes those that end, or moves to the next value. */
  private closeFinished(open: string[]): void {
    while (open.length > 0) {
      this.space()
      const close = open[open.length - 1] as string
      if (this.take(',')) {
        if (close === '}') {
          this.space()
          this.key()
        }
        return
      }
      if (!this.take(close)) bad()
      open.pop()
    }
  }

  private scalar(c: string | undefined): void {
    if (c === '"') this.string()
    else if (!(this.take('true') || this.take('false') || this.take('null'))) this.number()
  }

  /** A member's name and the colon. Names end at a zero byte. */
  private key(): string {
    const key = this.string()
    this.space()
    if (!this.take(':')) bad()
    const zero = key.indexOf('\0')
    return zero < 0 ? key : key.slice(0, zero)
  }

  parse(): ClientData {
    const found: ClientData = { challenge: '', origin: '', type: '' }
    this.space()
    if (!this.take('{')) bad()
    this.space()
    let more = !this.take('}')
    while (more) {
      this.space()
      const key = this.key()
      this.space()
      if (key === 'challenge' || key === 'origin' || key === 'type') found[key] = this.string()
      else this.skip()
      this.space()
      more = this.take(',')
      if (!more && !this.take('}')) bad()
    }
    this.space()
    if (this.pos !== this.text.length) bad()
    return found
  }
}

/**
 * Reads client data.
 * @throws ChainError `assert_exception`
 */
export function parseClientData(bytes: Uint8Array): ClientData {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  // The reference reads up to the first zero byte.
  const zero = text.indexOf('\0')
  return new Parser(zero < 0 ? text : text.slice(0, zero)).parse()
}
