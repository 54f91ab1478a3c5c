import { APPLY_OPTIONS } from '../wasm/parse_options.ts'
import { parseModule } from '../wasm/parse_module.ts'
import { afterLeb, readLeb } from '../wasm/skip.ts'

/** The functions of a code by their index: those that it defines. */
export type FunctionNames = ReadonlyMap<number, string>

const HEADER_BYTES = 8
const CUSTOM_SECTION = 0
const FUNCTIONS_SUBSECTION = 1
const MAX_NAME_BYTES = 4096

/**
 * Names of the functions that a code defines: from its name section, else its exports, else numbers.
 * WebAssembly Core Specification 1.0, 7.4.1 (name section).
 * @throws WasmParseError for code that cannot run
 */
export function functionNames(code: Uint8Array): FunctionNames {
  const m = parseModule(code, APPLY_OPTIONS)
  const named = new Map<number, string>()
  for (const { name, kind, index } of m.exports) if (kind === 0) named.set(index, name)
  for (const [index, name] of nameSection(code)) named.set(index, name)
  const first = m.imports.length
  return new Map(
    m.bodies.map((_, i) => [first + i, named.get(first + i) ?? `function ${first + i}`]),
  )
}

/** What the name section says; what is malformed in it is skipped, because nothing depends on it. */
function nameSection(code: Uint8Array): [number, string][] {
  for (let at = HEADER_BYTES; at < code.length;) {
    const id = code[at]!
    const start = afterLeb(code, at + 1)
    const end = start + readLeb(code, at + 1)
    if (id === CUSTOM_SECTION && end <= code.length) {
      const text = textAt(code, start, end)
      if (text?.text === 'name') return functionsIn(code, text.end, end)
    }
    at = end
  }
  return []
}

function functionsIn(code: Uint8Array, start: number, end: number): [number, string][] {
  for (let at = start; at + 1 < end;) {
    const id = code[at]!
    const first = afterLeb(code, at + 1)
    const last = first + readLeb(code, at + 1)
    if (id === FUNCTIONS_SUBSECTION && last <= end) return namesIn(code, first, last)
    at = last
  }
  return []
}

function namesIn(code: Uint8Array, start: number, end: number): [number, string][] {
  const names: [number, string][] = []
  let at = afterLeb(code, start)
  while (at < end) {
    const index = readLeb(code, at)
    const name = textAt(code, afterLeb(code, at), end)
    if (name === undefined) return names
    names.push([index, name.text])
    at = name.end
  }
  return names
}

function textAt(
  code: Uint8Array,
  at: number,
  limit: number,
): { text: string; end: number } | undefined {
  if (at >= limit) return undefined
  const start = afterLeb(code, at)
  const length = readLeb(code, at)
  const end = start + length
  if (end > limit || length > MAX_NAME_BYTES) return undefined
  return { text: Buffer.from(code.subarray(start, end)).toString('utf8'), end }
}
