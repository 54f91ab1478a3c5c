import { setFlagsFromString } from 'node:v8'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import type { CompiledModule } from './web_assembly.ts'
import { webAssembly } from './web_assembly.ts'

/**
 * `optimizing`: V8's baseline compiler now, its optimizing compiler for functions that run often.
 * `baseline`: the baseline compiler alone. The optimizing compiler needs memory that is not linear
 * in the size of a function, and ends the process where it has no room, so modules with functions
 * that could get there never reach it.
 */
export type Tier = 'baseline' | 'optimizing'

/** Read by V8 when it compiles a module as a whole, which is what the constructor does here. */
const TIERING_FLAGS = ['wasm-tier-up', 'wasm-dynamic-tiering'] as const

/** The first V8 that throws baseline code away under memory pressure, to compile it again later. */
const FIRST_V8_THAT_FLUSHES = 13

setFlagsFromString('--no-wasm-lazy-compilation')
// The memory of the optimizing compiler is that of one function of a module, not of one on each
// core.
setFlagsFromString('--wasm-num-compilation-tasks=1')
if (Number.parseInt(process.versions.v8) >= FIRST_V8_THAT_FLUSHES) {
  setFlagsFromString('--no-flush-liftoff-code')
}

/** No module takes so long to compile. */
const ABANDONED_MS = 60_000

/**
 * Compiles all functions of a module. V8's flags belong to the whole process, so only one thread
 * compiles at a time, and others wait.
 * @param abandoned_ms after this time a compiling thread counts as ended
 * @throws WebAssembly.CompileError for a module that V8 refuses
 */
export function compileModule(
  bytes: Uint8Array,
  tier: Tier,
  abandoned_ms = ABANDONED_MS,
): CompiledModule {
  lock(abandoned_ms)
  try {
    if (tier === 'optimizing') return new webAssembly.Module(bytes)
    for (const flag of TIERING_FLAGS) setFlagsFromString(`--no-${flag}`)
    try {
      return new webAssembly.Module(marked(bytes))
    } finally {
      resetFlags()
    }
  } finally {
    unlock()
  }
}

function resetFlags(): void {
  for (const flag of TIERING_FLAGS) setFlagsFromString(`--${flag}`)
}

/** A custom section with the name of the tier. */
const MARK = [0, 9, 8, ...Buffer.from('baseline')]

/** V8 gives equal bytes the code that it has of them, of whichever tier: so they never are equal. */
function marked(bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(bytes.length + MARK.length)
  all.set(bytes)
  all.set(MARK, bytes.length)
  return all
}

/** Key of the lock in the data that threads share. */
export const COMPILE_LOCK = 'pronghorn: V8 flags of WebAssembly'

/** One word of memory for all threads that this thread starts after this module was loaded. */
const lock_word = new Int32Array(sharedWord())

function sharedWord(): SharedArrayBuffer {
  const shared = getEnvironmentData(COMPILE_LOCK) as SharedArrayBuffer | undefined
  if (shared !== undefined) return shared
  const made = new SharedArrayBuffer(4)
  setEnvironmentData(COMPILE_LOCK, made)
  return made
}

/** A thread that runs out of memory ends without giving the lock back: then it is taken over. */
function lock(abandoned_ms: number): void {
  while (Atomics.compareExchange(lock_word, 0, 0, 1) !== 0) {
    if (Atomics.wait(lock_word, 0, 1, abandoned_ms) === 'timed-out') return resetFlags()
  }
}

function unlock(): void {
  Atomics.store(lock_word, 0, 0)
  Atomics.notify(lock_word, 0, 1)
}
