/**
 * Writes small WASM modules: a memory of one page, imports of the chain, and the one function
 * `apply(receiver: i64, code: i64, action: i64)` that a contract is.
 * WebAssembly Core Specification 1.0, chapter 5 (binary format).
 */
import { Writer } from '../../../protocol/writer.ts'

/** The value type i32 in its binary form. */
export const I32 = 0x7f
/** The value type i64 in its binary form. */
export const I64 = 0x7e

/** A host function that a contract calls. */
export interface Import {
  name: string
  params: readonly number[]
  results: readonly number[]
}

type Instruction = readonly number[]

/** Instructions in their binary form. */
export const op = {
  if: [0x04, 0x40],
  end: [0x0b],
  return: [0x0f],
  call: (index: number): Instruction => [0x10, index],
  drop: [0x1a],
  localGet: (index: number): Instruction => [0x20, index],
  i32Const: (value: number): Instruction => [0x41, ...signed(BigInt(value))],
  i64Const: (value: bigint): Instruction => [0x42, ...signed(BigInt.asIntN(64, value))],
  i64Ne: [0x52],
  i64Eq: [0x51],
  /** Loads from a constant address plus the offset; the address is on the stack. */
  i64Load: (offset: number): Instruction => [0x29, 0, offset],
  i32Load8U: (offset: number): Instruction => [0x2d, 0, offset],
  i32Or: [0x72],
} as const

/** Signed LEB128. */
function signed(value: bigint): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn)
    const next = rest >> 7n
    const done = (next === 0n && low < 0x40) || (next === -1n && low >= 0x40)
    bytes.push(done ? low : low | 0x80)
    if (done) return bytes
  }
}

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
const FUNCTION = 0x60
const KIND_FUNCTION = 0x00

/** The module whose `apply` consists of these instructions; imports are called by their index. */
export function assembleContract(
  imports: readonly Import[],
  body: readonly Instruction[],
): Uint8Array {
  const apply: Import = { name: 'apply', params: [I64, I64, I64], results: [] }
  const functions = [...imports, apply]
  const w = new Writer()
  w.raw(Uint8Array.from(HEADER))
  section(w, 1, (s) =>
    s.array(functions, (s, { params, results }) => {
      s.u8(FUNCTION)
      s.blob(Uint8Array.from(params))
      s.blob(Uint8Array.from(results))
    }),
  )
  section(w, 2, (s) => {
    s.varuint32(imports.length)
    imports.forEach(({ name }, type) => {
      s.string('env')
      s.string(name)
      s.u8(KIND_FUNCTION)
      s.varuint32(type)
    })
  })
  section(w, 3, (s) => s.array([imports.length], (s, type) => s.varuint32(type)))
  // One memory without a maximum, of one page.
  section(w, 5, (s) => s.raw(Uint8Array.of(1, 0, 1)))
  section(w, 7, (s) => {
    s.varuint32(1)
    s.string(apply.name)
    s.u8(KIND_FUNCTION)
    s.varuint32(imports.length)
  })
  section(w, 10, (s) => {
    s.varuint32(1)
    const no_locals = 0
    s.blob(Uint8Array.from([no_locals, ...body.flat(), ...op.end]))
  })
  return w.bytes()
}

function section(w: Writer, id: number, write: (s: Writer) => void): void {
  const content = new Writer()
  write(content)
  w.u8(id)
  w.blob(content.bytes())
}
