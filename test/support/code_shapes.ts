/**
 * Modules whose shape makes one part of preparing code dear: many calls of one type, deep nesting,
 * wide tables, long runs of one instruction. Each is valid and exports `apply`.
 */
type Part = number | Uint8Array | readonly Part[]

const I32 = 0x7f
const I64 = 0x7e
const F64 = 0x7c
const END = 0x0b
const APPLY: FunctionType = [[I64, I64, I64], []]
const NOTHING: FunctionType = [[], []]

type FunctionType = [params: number[], results: number[]]
/** Index of its type, and the body with its length. */
type Func = [type: number, body: Uint8Array]

interface Shape {
  types?: FunctionType[]
  functions: Func[]
  table?: number
  elements?: Uint8Array[]
  memory?: number
  globals?: Uint8Array[]
  exports?: Uint8Array[]
  data?: Uint8Array[]
}

/** One buffer of all parts, in order. */
export function bytes(...parts: readonly Part[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'number') return Uint8Array.of(part)
      return part instanceof Uint8Array ? part : bytes(...part)
    }),
  )
}

/** Unsigned LEB128. */
export function leb(value: number): Uint8Array {
  const out: number[] = []
  let rest = value >>> 0
  for (; rest >= 0x80; rest >>>= 7) out.push((rest & 0x7f) | 0x80)
  return Uint8Array.of(...out, rest)
}

/** Signed LEB128 of a number from 0. */
function signed(value: number): Uint8Array {
  const out: number[] = []
  let rest = value
  for (; rest >= 0x40; rest >>>= 7) out.push((rest & 0x7f) | 0x80)
  return Uint8Array.of(...out, rest)
}

const vector = (items: readonly Part[]): Uint8Array => bytes(leb(items.length), ...items)
const text = (value: string): Uint8Array => bytes(leb(value.length), Buffer.from(value, 'latin1'))
const section = (id: number, body: Uint8Array): Uint8Array => bytes(id, leb(body.length), body)
const times = (count: number, part: (i: number) => Part): Uint8Array =>
  bytes(...Array.from({ length: count }, (_, i) => part(i)))
/** `once`, as often as said. */
const repeat = (count: number, ...once: Part[]): Uint8Array => {
  const unit = bytes(...once)
  return Buffer.alloc(unit.length * count, unit)
}

function body(locals: [count: number, type: number][], ...code: Part[]): Uint8Array {
  const all = bytes(vector(locals.map(([count, type]) => bytes(leb(count), type))), code, END)
  return bytes(leb(all.length), all)
}

const exported = (name: string, index: number): Uint8Array => bytes(text(name), 0, leb(index))
const elementSegment = (offset: number, functions: number[]): Uint8Array =>
  bytes(0, 0x41, signed(offset), END, vector(functions.map(leb)))

/** A module; function 0 is exported as `apply` unless exports are given. */
export function build(m: Shape): Uint8Array {
  const types = (m.types ?? [APPLY, NOTHING]).map(([params, results]) =>
    bytes(0x60, vector(params), vector(results)),
  )
  const optional = (id: number, items: Uint8Array[] | undefined): Uint8Array =>
    items === undefined ? bytes() : section(id, vector(items))
  return bytes(
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, vector(types)),
    section(3, vector(m.functions.map(([type]) => leb(type)))),
    m.table === undefined ? [] : section(4, bytes(1, 0x70, 0, leb(m.table))),
    m.memory === undefined ? [] : section(5, bytes(1, 0, leb(m.memory))),
    optional(6, m.globals),
    section(7, vector(m.exports ?? [exported('apply', 0)])),
    optional(9, m.elements),
    section(10, vector(m.functions.map(([, code]) => code))),
    optional(11, m.data),
  )
}

/** A module of which `apply` is all. */
function single(locals: [number, number][], ...code: Part[]): Uint8Array {
  return build({ functions: [[0, body(locals, ...code)]] })
}

/** Code that never runs: apply's receiver is never 0. */
const never = (...code: Part[]): Part => [0x20, 0, 0x50, 0x04, 0x40, code, END]
const block = (...code: Part[]): Part => [0x02, 0x40, code, END]
const nestedBlocks = (depth: number, ...inside: Part[]): Uint8Array =>
  bytes(repeat(depth, 0x02, 0x40), inside, repeat(depth, END))
const branchTable = (targets: number): Part =>
  block(0x41, 0, 0x0e, leb(targets), repeat(targets + 1, 0))
const leaf = (): Func => [1, body([])]

/** `calls` indirect calls of `types` equal types over a table of 1,024 functions. */
export function callGraph(calls: number, types: number): Uint8Array {
  const per_function = 7999
  const callers: Func[] = []
  for (let left = calls; left > 0; left -= per_function) {
    const count = Math.min(left, per_function)
    callers.push([
      1,
      body(
        [],
        times(count, (i) => [0x41, 0, 0x11, leb(1 + (i % types)), 0]),
      ),
    ])
  }
  const first_leaf = 1 + callers.length
  const apply = body([], never(times(callers.length, (i) => [0x10, leb(1 + i)])))
  return build({
    types: [APPLY, ...Array.from({ length: types }, () => NOTHING)],
    functions: [[0, apply], ...callers, ...Array.from({ length: 1024 }, leaf)],
    table: 1024,
    elements: [
      elementSegment(
        0,
        Array.from({ length: 1024 }, (_, i) => first_leaf + i),
      ),
    ],
  })
}

/** Each of `count` functions calls the next `width` ones. */
export function callFan(count: number, width: number): Uint8Array {
  const calls = (i: number): Uint8Array =>
    times(Math.max(0, Math.min(width, count - 1 - i)), (k) => [0x10, leb(i + 1 + k)])
  const functions = Array.from({ length: count }, (_, i): Func => [
    i === 0 ? 0 : 1,
    body([], calls(i)),
  ])
  return build({ functions })
}

/** Every function of a table calls through the table: all call all. */
function callWeb(count: number, calls: number): Uint8Array {
  const one = body([], repeat(calls, 0x41, 0, 0x11, 1, 0))
  const functions: Func[] = [[0, body([], never(0x10, 1))]]
  for (let i = 0; i < count; i++) functions.push([1, one])
  const all = Array.from({ length: count }, (_, i) => 1 + i)
  return build({ functions, table: count, elements: [elementSegment(0, all)] })
}

function manyFunctions(count: number, locals: [number, number][], ...code: Part[]): Uint8Array {
  const one = body(locals, ...code)
  const apply = body(
    [],
    times(count - 1, (i) => [0x10, leb(i + 1)]),
  )
  const rest = Array.from({ length: count - 1 }, (): Func => [1, one])
  return build({ functions: [[0, apply], ...rest] })
}

function parameters(count: number): Uint8Array {
  const wide: FunctionType = [Array.from({ length: count }, () => I32), []]
  return build({ types: [APPLY, wide], functions: [[0, body([])], [1, body([])]] }) // oxfmt-ignore
}

function tableWithGaps(size: number, calls: number): Uint8Array {
  const elements: Uint8Array[] = []
  for (let i = 0; i < size; i += 2) elements.push(elementSegment(i, [0]))
  const apply = body([], never(repeat(calls, 0x41, 1, 0x11, 1, 0)))
  return build({ functions: [[0, apply]], table: size, elements })
}

/** A contract of so many functions and about so many bytes, of what compilers write: no one shape. */
export function largeContract(count: number, size: number): Uint8Array {
  // Loads, arithmetic, a comparison with a branch, a store and a call of the next function.
  const unit = bytes(
    [0x20, 0, 0x28, 2, 8, 0x41, 0x1f, 0x71, 0x22, 1, 0x41, 0x0a, 0x49, 0x04, 0x40],
    [0x20, 0, 0x20, 1, 0x41, 3, 0x74, 0x6a, 0x20, 2, 0x42, 1, 0x7c, 0x22, 2, 0x37, 3, 0x10, END],
    [0x02, 0x40, 0x20, 2, 0x50, 0x0d, 0, 0x20, 1, 0x41, 1, 0x6a, 0x21, 1, END],
  )
  const repeats = Math.max(1, Math.round((size / count - 24) / unit.length))
  const one = (next: number): Uint8Array => {
    const call = next < count ? [0x20, 1, 0x10, leb(next)] : []
    return body([[1, I32], [1, I64]], repeat(repeats, unit), call) // oxfmt-ignore
  }
  const functions = Array.from({ length: count - 1 }, (_, i): Func => [1, one(i + 2)])
  const types: FunctionType[] = [APPLY, [[I32], []]]
  const apply = body([], never(0x41, 0, 0x10, 1))
  return build({ types, functions: [[0, apply], ...functions], memory: 1 })
}

/**
 * Nested loops that assign all of 1,000 locals, in a function that is called often: the optimizing
 * compiler of V8 ends the process where it takes such a function with 40 groups of loops.
 */
export function loopsThatAssign(groups: number, calls: number): Uint8Array {
  const sets = times(1_000, (i) => [0x20, leb(1 + i), 0x42, 1, 0x7c, 0x21, leb(1 + i)])
  const group = bytes(repeat(1_000, 0x03, 0x40), 0x20, 0, 0x04, 0x40, sets, END, repeat(1_000, END))
  const once = [0x20, 3, 0x10, 1, 0x20, 3, 0x41, 1, 0x6a, 0x22, 3]
  const apply = body([[1, I32]], 0x03, 0x40, once, 0x41, signed(calls), 0x48, 0x0d, 0, END)
  return build({
    types: [APPLY, [[I32], []]],
    functions: [[0, apply], [1, body([[1_000, I64]], repeat(groups, group))]], // oxfmt-ignore
  })
}

/** Every shape by its name; those of 200 kB and more show the rate. */
export const CODE_SHAPES: Readonly<Record<string, () => Uint8Array>> = {
  call_graph: () => callGraph(25_000, 8_000),
  call_chain: () => callFan(8_191, 1),
  call_fan: () => callFan(3_000, 60),
  call_web: () => callWeb(1_000, 100),
  direct_calls: () =>
    build({ functions: [[0, body([], never(repeat(100_000, 0x10, 1)))], leaf()] }),
  loops: () => single([], repeat(60_000, 0x03, 0x40, END)),
  loops_that_assign: () => loopsThatAssign(20, 3_000),
  loops_nested: () => single([], repeat(60, repeat(1_000, 0x03, 0x40), repeat(1_000, END))),
  float_square_roots: () => single([[1, F64]], 0x20, 3, repeat(400_000, 0x9f), 0x21, 3),
  float_additions: () => single([[1, F64]], 0x20, 3, repeat(150_000, 0x20, 3, 0xa0), 0x21, 3),
  float_truncations: () => single([[1, F64]], repeat(100_000, 0x20, 3, 0xb0, 0xb9, 0x21, 3)),
  br_table_500k: () => single([], branchTable(500_000)),
  br_table_65520: () => single([], branchTable(65_520)),
  br_table_65521: () => single([], branchTable(65_521)),
  br_tables: () => single([], repeat(7, branchTable(65_000))),
  br_tables_with_locals: () => single([[900, I64]], repeat(80, branchTable(500))),
  blocks_nested: () => single([], repeat(160, nestedBlocks(1_020))),
  blocks_nested_branches: () => {
    const branches = times(1_020, (i) => [0x41, 0, 0x0d, leb(i)])
    return single([[1_000, I64]], repeat(60, nestedBlocks(1_020, branches)))
  },
  blocks: () => single([], repeat(100_000, block())),
  additions: () => single([], 0x42, 0, repeat(125_000, 0x42, 1, 0x7c), 0x1a),
  constants_64: () => single([], repeat(40_000, 0x42, leb(0x7fffffff), 0x1a)),
  stack_deep: () => single([], repeat(160, repeat(1_000, 0x20, 0), repeat(999, 0x7c), 0x1a)),
  drops: () => single([], repeat(150_000, 0x20, 0, 0x1a)),
  dead_code: () => single([], block(0x0c, 0, repeat(150_000, 0x41, 1, 0x1a))),
  dead_code_runs: () => single([], repeat(60_000, block(0x0c, 0, 0x01))),
  parameters_1000: () => parameters(1_000),
  parameters_1001: () => parameters(1_001),
  parameters_2000: () => parameters(2_000),
  functions: () => manyFunctions(8_191, [[1_000, I64]], repeat(50, 0x01)),
  functions_empty: () => manyFunctions(8_191, []),
  local_sets: () =>
    manyFunctions(
      800,
      Array.from({ length: 250 }, () => [4, I64]),
      0x01,
    ),
  exports: () => {
    const others = Array.from({ length: 8_000 }, (_, i) => exported(`f${i}`, 0))
    return build({ functions: [[0, body([])]], exports: [exported('apply', 0), ...others] })
  },
  globals: () =>
    build({
      functions: [[0, body([])]],
      globals: Array.from({ length: 8_000 }, () => bytes(I64, 0, 0x42, 0, END)),
    }),
  data_segments: () =>
    build({
      functions: [[0, body([])]],
      memory: 1,
      data: Array.from({ length: 8_191 }, () => bytes(0, 0x41, 0, END, vector([1]))),
    }),
  table_with_gaps: () => tableWithGaps(1_024, 80_000),
  ifs: () => single([[10, I64]], repeat(80_000, 0x41, 0, 0x04, 0x40, END)),
  ifs_with_locals: () =>
    single(
      [[1_010, I64]],
      times(40_000, (i) => [0x41, 0, 0x04, 0x40, 0x42, 1, 0x21, leb(3 + (i % 1_000)), END]),
    ),
  loads: () =>
    build({
      functions: [[0, body([], repeat(80_000, 0x41, 0, 0x28, 2, 0, 0x1a))]],
      memory: 1,
    }),
  memory_grows: () =>
    build({
      functions: [[0, body([], never(repeat(80_000, 0x41, 0, 0x40, 0, 0x1a)))]],
      memory: 1,
    }),
}
