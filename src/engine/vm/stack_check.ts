import { webAssembly } from './web_assembly.ts'

/** Nested calls that the deepest contract makes. */
const DEPTH = 251
/** Locals of its largest function, 8 bytes each: as many as the limits allow. */
const LOCALS = 1024

/**
 * True where this thread's stack holds the deepest recursion that the protocol allows, with the
 * largest frames. Where it does not, a contract that goes there fails here and nowhere else: start
 * the process with `node --stack-size=3900` (kilobytes; the system's own limit must be above it),
 * or run the chain in a worker with `resourceLimits: { stackSizeMb: 8 }`.
 */
export function isStackDeepEnough(): boolean {
  const instance = new webAssembly.Instance(new webAssembly.Module(recursion()), {})
  const recurse = instance.exports.f as (depth: number) => void
  try {
    recurse(DEPTH)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** f(n): fills its locals, calls f(n - 1) while n is above zero, then uses the locals. */
function recursion(): Uint8Array {
  const code = [1, ...u32(LOCALS), 0x7e]
  for (let i = 1; i <= LOCALS; i++) code.push(0x20, 0, 0xad, 0x21, ...u32(i))
  code.push(0x20, 0, 0x04, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x10, 0, 0x0b)
  for (let i = 1; i <= LOCALS; i++) code.push(0x20, ...u32(i), 0x24, 0)
  code.push(0x0b)
  const section = (id: number, ...body: number[]): number[] => [id, ...u32(body.length), ...body]
  return new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, 1, 0x60, 1, 0x7f, 0),
    ...section(3, 1, 0),
    ...section(6, 1, 0x7e, 1, 0x42, 0, 0x0b),
    ...section(7, 1, 1, 0x66, 0, 0),
    ...section(10, 1, ...u32(code.length), ...code),
  ]) // oxfmt-ignore
}

function u32(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...u32(value >>> 7)]
}
