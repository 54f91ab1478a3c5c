import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread that runs a module of this package: the compiled one, which the bundle has in the same
 * folder as all others (scripts/bundle.mjs), or, when the caller runs from
 * sources as in tests, the source, for which each thread needs tsx.
 * @param name the module without its extension, relative to the caller
 * @param caller the caller's `import.meta.url`
 */
export function startThread(name: string, caller: string, options: WorkerOptions = {}): Worker {
  if (!caller.endsWith('.ts')) return new Worker(new URL(`./${basename(name)}.js`, caller), options)
  const source = new URL(`${name}.ts`, caller).href
  const boot = `import('${tsx()}').then(({ register }) => (register(), import('${source}')))`
  return new Worker(boot, { ...options, eval: true })
}

/** The last message to a thread of native code: it ends itself when it has done what came before. */
export const CLOSE = 'close'

/**
 * Tells a thread to end itself, and resolves when it has ended. A thread that is terminated in native code, or while it
 * loads such code, may end the process.
 */
export function endThread(worker: Worker): Promise<void> {
  // It has ended already.
  if (worker.threadId === -1) return Promise.resolve()
  worker.ref()
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.postMessage(CLOSE)
  return ended
}

/**
 * The location of tsx; mocha, which has no `import.meta.resolve`, runs in the folder of the
 * package.
 */
function tsx(): string {
  const { resolve } = import.meta as Partial<ImportMeta>
  return resolve ? resolve('tsx/esm/api') : 'tsx/esm/api'
}
