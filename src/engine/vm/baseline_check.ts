import { setFlagsFromString } from 'node:v8'
import { compileModule } from './compile_module.ts'
import type { Tier } from './compile_module.ts'
import { webAssembly } from './web_assembly.ts'

/** Turns of the loop after which any version of V8 wants to optimize it. */
const TURNS = 3_000_000
/** The number of checks, a millisecond apart, whether the busy loop is optimized. */
const LOOKS = 1000

let answer: boolean | undefined

/**
 * True where this version of V8 keeps modules of the tier `baseline` from its optimizing compiler.
 * Looked at once, when the first such module is to be compiled: of two modules with one busy loop
 * the optimizing one must be optimized and the baseline one not. False where that cannot be seen.
 */
export function isBaselineKept(): boolean {
  return (answer ??= watchTwoModules())
}

function watchTwoModules(): boolean {
  const isOptimized = optimizedQuery()
  if (isOptimized === undefined) return false
  const [baseline, optimizing] = [busyLoop('baseline'), busyLoop('optimizing')]
  baseline(TURNS)
  optimizing(TURNS)
  for (let looks = 0; !isOptimized(optimizing); looks++) {
    if (looks === LOOKS) return false
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    // V8 may want a call to see that it has better code.
    optimizing(1)
  }
  baseline(1)
  return !isOptimized(baseline)
}

/** The answer of V8; undefined if it has none. */
function optimizedQuery(): ((f: unknown) => boolean) | undefined {
  setFlagsFromString('--allow-natives-syntax')
  try {
    return new Function('f', 'return %IsTurboFanFunction(f)') as (f: unknown) => boolean
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  } finally {
    setFlagsFromString('--no-allow-natives-syntax')
  }
}

/** f(n) counts n down to zero. */
function busyLoop(tier: Tier): (turns: number) => void {
  const code = [
    0, 0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x0b,
  ] // oxfmt-ignore
  const bytes = new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    1, 5, 1, 0x60, 1, 0x7f, 0,
    3, 2, 1, 0,
    7, 5, 1, 1, 0x66, 0, 0,
    10, code.length + 2, 1, code.length, ...code,
  ]) // oxfmt-ignore
  const instance = new webAssembly.Instance(compileModule(bytes, tier), {})
  return instance.exports.f as (turns: number) => void
}
