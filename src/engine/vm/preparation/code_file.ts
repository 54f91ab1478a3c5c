import { sha256 } from '../../crypto/hash.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { PREPARATION_VERSION } from './prepared_code.ts'
import type { PreparedCode } from './prepared_code.ts'
import type { CodeFacts } from './code_facts.ts'

/*
 * A file: `pgcode` and the version (u16), the SHA-256 of the rest, then the hash of the code, the
 * length of the header (u32), of the image (u32), the header as JSON, the image, and the
 * instrumented module up to the end. Numbers are little-endian.
 */
/** First bytes of a file. */
export const MAGIC = Buffer.from('pgcode', 'latin1')
const CHECKSUM_AT = MAGIC.length + 2
const HASH_BYTES = 32
const CODE_HASH_AT = CHECKSUM_AT + HASH_BYTES
const LENGTHS_AT = CODE_HASH_AT + HASH_BYTES
const HEADER_AT = LENGTHS_AT + 8

/** The parts of prepared code that are not bytes; JSON has no Infinity. */
interface Header extends Pick<PreparedCode, 'form' | 'tier'> {
  facts: Omit<CodeFacts, 'image' | 'call_depth' | 'memory' | 'start_error'>
  memory: [initial: number, maximum: number | null] | null
  start_error: string | null
  call_depth: number | null
}

/** The file of a prepared code. */
export function packCodeFile(code_hash: Uint8Array, prepared: PreparedCode): Uint8Array {
  const { facts, form, bytes, tier } = prepared
  const { imports, memory, image, data_out_of_range, start_error, call_depth, interpreted } = facts
  const header: Header = {
    form,
    tier,
    facts: { imports, data_out_of_range, interpreted },
    memory: memory === undefined ? null : [memory.initial, memory.maximum ?? null],
    start_error: start_error ?? null,
    call_depth: Number.isFinite(call_depth) ? call_depth : null,
  }
  const json = Buffer.from(JSON.stringify(header))
  const file = Buffer.alloc(HEADER_AT + json.length + image.length + bytes.length)
  file.set(MAGIC)
  file.writeUInt16LE(PREPARATION_VERSION, MAGIC.length)
  file.set(code_hash, CODE_HASH_AT)
  file.writeUInt32LE(json.length, LENGTHS_AT)
  file.writeUInt32LE(image.length, LENGTHS_AT + 4)
  file.set(json, HEADER_AT)
  file.set(image, HEADER_AT + json.length)
  file.set(bytes, HEADER_AT + json.length + image.length)
  file.set(sha256(file.subarray(CODE_HASH_AT)), CHECKSUM_AT)
  return file
}

/**
 * The contents of a file; `outdated` if it has another version, `damaged` if it differs from what
 * was written.
 */
export function unpackCodeFile(
  file: Uint8Array,
  code_hash: Uint8Array,
): PreparedCode | 'outdated' | 'damaged' {
  const view = Buffer.from(file.buffer, file.byteOffset, file.length)
  if (file.length < HEADER_AT || !view.subarray(0, MAGIC.length).equals(MAGIC)) return 'damaged'
  if (view.readUInt16LE(MAGIC.length) !== PREPARATION_VERSION) return 'outdated'
  const checksum = view.subarray(CHECKSUM_AT, CODE_HASH_AT)
  if (!bytesEqual(sha256(view.subarray(CODE_HASH_AT)), checksum)) return 'damaged'
  if (!bytesEqual(view.subarray(CODE_HASH_AT, LENGTHS_AT), code_hash)) return 'damaged'
  const image_at = HEADER_AT + view.readUInt32LE(LENGTHS_AT)
  const bytes_at = image_at + view.readUInt32LE(LENGTHS_AT + 4)
  const header = JSON.parse(view.toString('utf8', HEADER_AT, image_at)) as Header
  const facts: CodeFacts = {
    ...header.facts,
    memory:
      header.memory === null
        ? undefined
        : { initial: header.memory[0], maximum: header.memory[1] ?? undefined },
    image: file.slice(image_at, bytes_at),
    start_error: header.start_error ?? undefined,
    call_depth: header.call_depth ?? Infinity,
  }
  return { facts, form: header.form, bytes: file.slice(bytes_at), tier: header.tier }
}
