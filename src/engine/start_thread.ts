import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WorkerOptions } from 'node:worker_threads'
import { joinedSource } from './thread_source.ts'

/**
 * Starts a thread that runs a module of this package: the compiled one, which the bundle has in the same
 * folder as all others (scripts/bundle.mjs), or, when the caller runs from
 * sources as in tests, the source with all that it imports.
 * @param name the module without its extension, relative to the caller
 * @param caller the caller's `import.meta.url`
 */
export function startThread(name: string, caller: string, options: WorkerOptions = {}): Worker {
  if (!caller.endsWith('.ts')) {
    const file = new URL(`./${basename(name)}.js`, caller)
    return new Worker(file, { ...options, ...argumentsOfThread(process.execArgv) })
  }
  // The thread needs none of what loads sources here.
  return new Worker(joinedSource(new URL(`${name}.ts`, caller)), { ...options, execArgv: [] })
}

/**
 * The options of Node.js for a thread. It takes over those of the process, if none are given: options of V8, which are
 * common to all threads, cannot be given. But a thread, which has a file, is refused with `--input-type`, which is about
 * the text of `--eval`. So in such a process a thread gets no options.
 */
export function argumentsOfThread(of_process: readonly string[]): { execArgv?: string[] } {
  return of_process.some((argument) => argument.startsWith('--input-type')) ? { execArgv: [] } : {}
}

/**
 * Starts a thread whose work the caller does itself if the thread fails: a failure is a warning. It does not keep the
 * process. Arguments as of {@link startThread}.
 */
export function startHelper(name: string, caller: string, options?: WorkerOptions): Worker {
  const worker = startThread(name, caller, options)
  worker.on('error', (error) => process.emitWarning(error))
  worker.unref()
  return worker
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
