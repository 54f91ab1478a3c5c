/** Where the safety information of finalizers is kept; the file is replaced as a whole. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fsync } from 'node:fs'

export interface SafetyStore {
  /** Names the store in messages. */
  readonly path: string
  /** What was saved last, if anything was. */
  load(): Uint8Array | undefined
  /** Resolves when the bytes are on disk. One call at a time. */
  save(bytes: Uint8Array): Promise<void>
}

/** A file that a crash at any moment leaves whole, with its old or its new content. */
export class SafetyFile implements SafetyStore {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  load(): Uint8Array | undefined {
    return existsSync(this.path) ? new Uint8Array(readFileSync(this.path)) : undefined
  }

  async save(bytes: Uint8Array): Promise<void> {
    const folder = dirname(this.path)
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true })
    const temporary = `${this.path}.new`
    const file = await open(temporary, 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, this.path)
    await syncFolder(folder)
  }
}

/** The name in the folder must last too. */
function syncFolder(folder: string): Promise<void> {
  const fd = openSync(folder, 'r')
  return new Promise<void>((resolve, reject) => {
    fsync(fd, (error) => (error ? reject(error) : resolve()))
  }).finally(() => closeSync(fd))
}

/** For chains that end with the process. */
export class MemorySafety implements SafetyStore {
  readonly path = '(memory)'
  bytes: Uint8Array | undefined

  load(): Uint8Array | undefined {
    return this.bytes
  }

  save(bytes: Uint8Array): Promise<void> {
    this.bytes = bytes
    return Promise.resolve()
  }
}
