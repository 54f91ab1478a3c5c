/** A tiny assembler: modules from numbers, for tests. */
export const I32 = 0x7f
export const I64 = 0x7e
export const F32 = 0x7d
export const F64 = 0x7c

export interface TestFunction {
  type: number
  /** [count, type] runs. */
  locals?: [number, number][]
  /** Instructions without the last `end`. */
  code: number[]
}

export interface TestModule {
  /** Each: parameters, results. */
  types?: [number[], number[]][]
  /** Each: field of `env`, type index. */
  imports?: [string, number][]
  functions?: TestFunction[]
  /** Size of the table, and its elements by offset. */
  table?: { size: number; elements?: [number, number[]][] }
  memory?: { initial: number; maximum?: number }
  /** Each: type, mutable, constant expression without `end`. */
  globals?: [number, boolean, number[]][]
  exports?: [string, number, number][]
  start?: number
  data?: [number, number[]][]
}

export function u32(value: number): number[] {
  const out: number[] = []
  let rest = value >>> 0
  for (; rest >= 0x80; rest >>>= 7) out.push((rest & 0x7f) | 0x80)
  out.push(rest)
  return out
}

export function i64(value: bigint | number): number[] {
  const out: number[] = []
  let rest = BigInt.asIntN(64, BigInt(value))
  for (;;) {
    const byte = Number(rest & 0x7fn)
    rest >>= 7n
    if ((rest === 0n && !(byte & 0x40)) || (rest === -1n && byte & 0x40)) return [...out, byte]
    out.push(byte | 0x80)
  }
}

export const i32 = (value: number): number[] => i64(value | 0)

const name = (text: string): number[] => [...u32(text.length), ...Buffer.from(text, 'latin1')]
const vector = (items: number[][]): number[] => [...u32(items.length), ...items.flat()]
const section = (id: number, body: number[]): number[] => [id, ...u32(body.length), ...body]

function body(f: TestFunction): number[] {
  const locals = vector((f.locals ?? []).map(([count, type]) => [...u32(count), type]))
  const all = [...locals, ...f.code, 0x0b]
  return [...u32(all.length), ...all]
}

/** `apply` of type (i64, i64, i64) with this code, and what else is given. */
export function assemble(m: TestModule): Uint8Array {
  const out: number[] = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  const add = (id: number, items: number[][] | undefined): void => {
    if (items === undefined) return
    for (const byte of section(id, vector(items))) out.push(byte)
  }
  const types = m.types ?? [[[I64, I64, I64], []]]
  add(
    1,
    types.map(([p, r]) => [0x60, ...vector(p.map((t) => [t])), ...vector(r.map((t) => [t]))]),
  )
  add(
    2,
    m.imports?.map(([field, type]) => [...name('env'), ...name(field), 0, ...u32(type)]),
  )
  add(
    3,
    m.functions?.map((f) => u32(f.type)),
  )
  if (m.table) add(4, [[0x70, 0, ...u32(m.table.size)]])
  if (m.memory) {
    const { initial, maximum } = m.memory
    add(5, [maximum === undefined ? [0, ...u32(initial)] : [1, ...u32(initial), ...u32(maximum)]])
  }
  add(
    6,
    m.globals?.map(([type, mutable, init]) => [type, mutable ? 1 : 0, ...init, 0x0b]),
  )
  const last = (m.imports?.length ?? 0) + (m.functions?.length ?? 0) - 1
  const exports = m.exports ?? [['apply', 0, last] as [string, number, number]]
  add(
    7,
    exports.map(([text, kind, index]) => [...name(text), kind, ...u32(index)]),
  )
  if (m.start !== undefined) out.push(...section(8, u32(m.start)))
  add(9, m.table?.elements?.map(([offset, list]) => [
    0, 0x41, ...i32(offset), 0x0b, ...vector(list.map(u32)),
  ])) // oxfmt-ignore
  add(10, m.functions?.map(body))
  add(11, m.data?.map(([offset, bytes]) => [
    0, 0x41, ...i32(offset), 0x0b, ...u32(bytes.length), ...bytes,
  ])) // oxfmt-ignore
  return new Uint8Array(out)
}
