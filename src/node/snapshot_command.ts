import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { ChainError, snapshotToJson } from '../engine/index.ts'
import { OptionError } from '../options/parse.ts'

/** The usage line of the command `snapshot`. */
export const SNAPSHOT_USAGE = 'pronghorn snapshot to-json FILE [OUTPUT]'

/**
 * `pronghorn snapshot …`: operations on snapshots without a node. The JSON form is written to
 * OUTPUT, by default FILE.json; `-` is the standard output.
 * @throws OptionError for errors that the user can correct
 */
export function runSnapshotCommand(argv: readonly string[]): void {
  const [command, file, output = `${file}.json`, ...rest] = argv
  if (command !== 'to-json' || file === undefined || rest.length > 0) {
    throw new OptionError(`usage: ${SNAPSHOT_USAGE}`)
  }
  if (!existsSync(file)) throw new OptionError(`there is no file ${file}`)
  const is_stdout = output === '-'
  const fd = is_stdout ? process.stdout.fd : openOutput(output)
  try {
    for (const text of snapshotToJson(file)) writeAll(fd, Buffer.from(text))
  } catch (error) {
    if (!is_stdout) rmSync(output, { force: true })
    // The reader of the output has closed it.
    else if ((error as NodeJS.ErrnoException).code === 'EPIPE') return
    if (!(error instanceof ChainError)) throw error
    throw new OptionError(`${file}: ${error.message}`)
  } finally {
    if (!is_stdout) closeSync(fd)
  }
}

/** An existing file is not overwritten. */
function openOutput(path: string): number {
  try {
    return openSync(path, 'wx')
  } catch (error) {
    throw new OptionError((error as Error).message)
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  let done = 0
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done)
    } catch (error) {
      // The reader of the pipe is slow: try again.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}
