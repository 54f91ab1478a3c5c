/** The file with the safety information of finalizers; it is always replaced as a whole. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failAs, makeFolder, replaceFile, syncFolder, syncFolderLater } from './file.ts'
import { setAside } from './set_aside.ts'

/** Stores the safety information of finalizers. */
export interface SafetyStore {
  /** It ends with the process. */
  readonly in_memory: boolean
  /** Names the store in messages. */
  readonly path: string
  /**
   * The last saved information, if there is any.
   * @throws ChainError finalizer_safety_exception
   */
  load(): Uint8Array | undefined
  /**
   * Resolves when the bytes are on disk. One call at a time.
   * @throws ChainError `finalizer_safety_exception`
   */
  save(bytes: Uint8Array): Promise<void>
  /**
   * The same at once, only while no call of `save` is in progress.
   * @throws ChainError `finalizer_safety_exception`
   */
  saveNow(bytes: Uint8Array): void
  /**
   * Moves the saved file to another name and starts without one. Returns the new path if there was
   * a file.
   * @throws ChainError finalizer_safety_exception
   */
  setAside(): string | undefined
  /**
   * Deletes the saved file.
   * @throws ChainError finalizer_safety_exception
   */
  remove(): void
}

/** A file that is complete after a crash at any moment, with its old or its new contents. */
export class SafetyFile implements SafetyStore {
  readonly in_memory = false
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** @throws ChainError finalizer_safety_exception if it cannot be read */
  load(): Uint8Array | undefined {
    try {
      return existsSync(this.path) ? new Uint8Array(readFileSync(this.path)) : undefined
    } catch (error) {
      failAs('finalizer_safety_exception', `cannot read ${this.path}`, error)
    }
  }

  /** @throws ChainError finalizer_safety_exception if it cannot be written */
  async save(bytes: Uint8Array): Promise<void> {
    try {
      await this.replace(bytes)
    } catch (error) {
      failAs('finalizer_safety_exception', `cannot write ${this.path}`, error)
    }
  }

  /** @throws ChainError finalizer_safety_exception if it cannot be written */
  saveNow(bytes: Uint8Array): void {
    try {
      makeFolder(dirname(this.path))
      replaceFile(this.path, [bytes])
    } catch (error) {
      failAs('finalizer_safety_exception', `cannot write ${this.path}`, error)
    }
  }

  /** @throws ChainError finalizer_safety_exception if it cannot be renamed */
  setAside(): string | undefined {
    try {
      return setAside(this.path)
    } catch (error) {
      failAs('finalizer_safety_exception', `cannot rename ${this.path}`, error)
    }
  }

  /** @throws ChainError finalizer_safety_exception */
  remove(): void {
    try {
      if (!existsSync(this.path)) return
      rmSync(this.path)
      syncFolder(dirname(this.path))
    } catch (error) {
      failAs('finalizer_safety_exception', `cannot delete ${this.path}`, error)
    }
  }

  private async replace(bytes: Uint8Array): Promise<void> {
    const folder = dirname(this.path)
    makeFolder(folder)
    const temporary = `${this.path}.new`
    const file = await open(temporary, 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, this.path)
    await syncFolderLater(folder)
  }
}

/** For chains that end with the process. */
export class MemorySafety implements SafetyStore {
  readonly in_memory = true
  readonly path = '(memory)'
  bytes: Uint8Array | undefined

  load(): Uint8Array | undefined {
    return this.bytes
  }

  save(bytes: Uint8Array): Promise<void> {
    this.bytes = bytes
    return Promise.resolve()
  }

  saveNow(bytes: Uint8Array): void {
    this.bytes = bytes
  }

  setAside(): undefined {
    this.bytes = undefined
  }

  remove(): void {
    this.bytes = undefined
  }
}
