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
    const execArgv = argumentsOfThread(process.execArgv)
    return new Worker(new URL(`./${basename(name)}.js`, caller), { ...options, execArgv })
  }
  // The thread needs none of what loads sources here.
  return new Worker(joinedSource(new URL(`${name}.ts`, caller)), { ...options, execArgv: [] })
}

/**
 * The options of Node.js that a thread takes over from the process. `--input-type` is about the text of `--eval`; a thread,
 * which has a file, would be refused with it.
 */
export function argumentsOfThread(of_process: readonly string[]): string[] {
  const place = of_process.findIndex((argument) => argument.startsWith('--input-type'))
  if (place === -1) return [...of_process]
  const count = of_process[place] === '--input-type' ? 2 : 1
  return argumentsOfThread(of_process.toSpliced(place, count))
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
