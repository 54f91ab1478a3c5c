/**
 * The disk as it may be: lets one operation on files below a folder fail, end the process or end the
 * machine. It stands in the place of node:fs for everything in this process; what it is not about goes
 * through. Operations are those that change something, and openings; reading is none.
 *
 * The process ends (`die`): from then on nothing below the folder can be done. The machine ends: so does
 * the process, and {@link FaultyFiles.cutPower} leaves what was synced alone.
 */
import child_process from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { relative } from 'node:path'
import { DurableFiles } from './durable_files.ts'

/** What the system refuses, or how far an operation comes before the process ends. */
export type Fault = 'EIO' | 'ENOSPC' | 'EACCES' | 'short' | 'before' | 'within' | 'after'

/** An operation: the first of all is 1, or the first of its kind is. */
export type Place = number | { kind: string; nth: number }

export interface Plan {
  /** The operation that it happens to. */
  at: Place
  fault: Fault
  /** Everything like it fails from then on, as on a full disk. */
  lasting?: boolean
}

const TEXTS = {
  EIO: 'i/o error',
  ENOSPC: 'no space left on device',
  EACCES: 'permission denied',
}
type Code = keyof typeof TEXTS
/** Operations that a lasting fault hits. */
const HIT: Record<Code, RegExp> = {
  EIO: /./,
  ENOSPC: /^(create|write|mkdir)/,
  EACCES: /^(create|open|rename|mkdir)/,
}

type Handle = fs.promises.FileHandle
type Sync = (...args: never[]) => unknown

export class FaultyFiles {
  /** What was done, in order: `write blocks/blocks.log`. */
  readonly operations: string[] = []
  dead = false
  /** The operation that the fault happened to; undefined before. */
  where: string | undefined
  private readonly root: string
  private readonly plan: Plan | undefined
  private readonly durable = new DurableFiles()
  private readonly fds = new Map<number, string>()
  private readonly handles = new Set<Handle>()
  private readonly originals: [object, string, unknown][] = []
  private broken: Code | undefined
  private under_way = 0
  /** What this does itself is not an operation. */
  private own = false

  private constructor(root: string, plan: Plan | undefined) {
    this.root = root
    this.plan = plan
  }

  /** @param root a folder that is there; what is in it is on the disk */
  static install(root: string, plan?: Plan): FaultyFiles {
    const files = new FaultyFiles(root, plan)
    files.durable.addTree(root)
    files.patchSync()
    files.patchAsync()
    files.patchPrograms()
    syncBuiltinESMExports()
    return files
  }

  /** Puts node:fs back; what the process has open is closed as its end would. */
  async remove(): Promise<void> {
    while (this.under_way > 0) await new Promise((resolve) => setImmediate(resolve))
    for (const [object, name, value] of this.originals.reverse()) Reflect.set(object, name, value)
    syncBuiltinESMExports()
    for (const handle of this.handles) {
      this.fds.delete(handle.fd)
      await handle.close()
    }
    for (const fd of this.fds.keys()) fs.closeSync(fd)
  }

  /** The fault happened. */
  get happened(): boolean {
    return this.where !== undefined
  }

  /** What a power cut leaves; after {@link remove}. */
  cutPower(names: 'synced' | 'all', tail: 'none' | 'half'): void {
    this.durable.restore(this.root, names, tail)
  }

  /** An operation that is none of node:fs, such as a step of the store. */
  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const fault = this.enter(what)
    if (fault === 'before' || fault === 'within') throw this.die()
    if (fault !== undefined && fault !== 'after') throw systemError('EIO', what)
    const done = await work()
    if (fault === 'after') throw this.die()
    return done
  }

  /** Counts an operation; answers what shall happen to it, and throws what is wrong already. */
  private enter(what: string): Fault | undefined {
    if (this.dead) throw new Error('the process has ended')
    this.operations.push(what)
    if (this.broken && HIT[this.broken].test(what)) throw systemError(this.broken, what)
    const { plan } = this
    if (!plan || this.happened || !this.isAt(plan.at, what)) return undefined
    this.where = what
    const { fault } = plan
    if (fault === 'EIO' || fault === 'ENOSPC' || fault === 'EACCES') {
      if (plan.lasting) this.broken = fault
      throw systemError(fault, what)
    }
    return fault
  }

  /** Whether the last operation is the one of a place. */
  private isAt(at: Place, what: string): boolean {
    if (typeof at === 'number') return this.operations.length === at
    return what === at.kind && this.operations.filter((done) => done === what).length === at.nth
  }

  private die(): Error {
    this.dead = true
    return new Error('the process ends')
  }

  private covers(path: unknown): path is string {
    if (this.own) return false
    return typeof path === 'string' && (path === this.root || path.startsWith(`${this.root}/`))
  }

  private name(path: string): string {
    return relative(this.root, path) || '.'
  }

  private openingOf(path: string, flags: unknown): string {
    const creates = typeof flags === 'string' && flags.startsWith('w')
    return `${creates ? 'create' : 'open'} ${this.name(path)}`
  }

  /** @param half does half of it, if there is a half; answers how much of it was done */
  private sync<T>(what: string, work: () => T, half?: () => T): T {
    const fault = this.enter(what)
    if (fault === 'before') throw this.die()
    if (fault === 'within') {
      half?.()
      throw this.die()
    }
    if (fault === 'short') {
      if (!half) throw systemError('ENOSPC', what)
      this.broken = 'ENOSPC'
      return half()
    }
    try {
      return work()
    } finally {
      // It also ends after an operation that fails, such as the opening of a file that does not exist.
      this.endAfter(fault)
    }
  }

  private endAfter(fault: Fault | undefined): void {
    if (fault === 'after') throw this.die()
  }

  private async async<T>(
    what: string,
    work: () => Promise<T>,
    half?: () => Promise<T>,
  ): Promise<T> {
    const fault = this.enter(what)
    this.under_way++
    try {
      if (fault === 'before') throw this.die()
      if (fault === 'within') {
        await half?.()
        throw this.die()
      }
      if (fault === 'short') {
        if (!half) throw systemError('ENOSPC', what)
        this.broken = 'ENOSPC'
        return await half()
      }
      const done = await work().finally(() => this.endAfter(fault))
      // It ended meanwhile: nobody hears that this was done.
      if (this.dead) throw new Error('the process has ended')
      return done
    } finally {
      this.under_way--
    }
  }

  private replace(object: object, name: string, make: (original: Sync) => unknown): void {
    const original = Reflect.get(object, name) as Sync
    this.originals.push([object, name, original])
    Reflect.set(object, name, make(original.bind(object)))
  }

  private patchSync(): void {
    const of = (fd: unknown) => this.fds.get(fd as number)
    this.replace(fs, 'openSync', (open: Sync) => (...args: never[]) => {
      const [path, flags] = args as unknown[]
      if (!this.covers(path)) return open(...args)
      return this.sync(this.openingOf(path, flags), () => {
        const fd = open(...args) as number
        this.opened(fd, path, flags)
        return fd
      })
    })
    this.replace(fs, 'closeSync', (close: Sync) => (...args: never[]) => {
      this.fds.delete(args[0] as unknown as number)
      return close(...args)
    })
    this.replace(fs, 'writeSync', (write: Sync) => (...args: never[]) => {
      const [fd, bytes, start, length, position] = args as unknown as [number, ...number[]]
      const path = of(fd)
      if (path === undefined) return write(...args)
      const half = () => write(...([fd, bytes, start, length! >> 1, position] as never[]))
      return this.sync(`write ${this.name(path)}`, () => write(...args), half)
    })
    for (const name of ['fsyncSync', 'ftruncateSync'] as const) {
      this.replace(fs, name, (work: Sync) => (...args: never[]) => {
        const path = of(args[0])
        if (path === undefined) return work(...args)
        return this.sync(`${name} ${this.name(path)}`.replace('Sync', ''), () => {
          work(...args)
          if (name === 'fsyncSync') this.synced(path)
        })
      })
    }
    for (const name of ['renameSync', 'rmSync'] as const) {
      this.replace(fs, name, (work: Sync) => (...args: never[]) => {
        const [path] = args as unknown[]
        if (!this.covers(path)) return work(...args)
        return this.sync(`${name.replace('Sync', '')} ${this.name(path)}`, () => work(...args))
      })
    }
  }

  private patchAsync(): void {
    this.replace(fs, 'fsync', (work: Sync) => (...args: never[]) => {
      const [fd, done] = args as unknown as [number, (error: Error | null) => void]
      const path = this.fds.get(fd)
      if (path === undefined) return work(...args)
      const perform = () =>
        new Promise<void>((resolve, reject) => {
          const end = (error: Error | null) => (error ? reject(error) : resolve())
          work(...([fd, end] as never[]))
        }).then(() => this.synced(path))
      void this.async(`fsync ${this.name(path)}`, perform).then(() => done(null), done)
    })
    for (const name of ['rename', 'rm'] as const) {
      this.replace(fs.promises, name, (work: Sync) => (...args: never[]) => {
        const [path] = args as unknown[]
        if (!this.covers(path)) return work(...args)
        return this.async(`${name} ${this.name(path)}`, () => work(...args) as Promise<void>)
      })
    }
    this.replace(fs.promises, 'open', (open: Sync) => (...args: never[]) => {
      const [path, flags] = args as unknown[]
      if (!this.covers(path)) return open(...args)
      return this.async(this.openingOf(path, flags), async () => {
        const handle = (await open(...args)) as Handle
        this.opened(handle.fd, path, flags)
        return this.patchHandle(handle, path)
      })
    })
  }

  /** `fallocate`, which gives space within a file back. It is on the disk at once: nothing syncs it later. */
  private patchPrograms(): void {
    this.replace(child_process, 'execFile', (run: Sync) => (...args: never[]) => {
      const [program, words, done] = args as unknown as [string, string[], (e?: Error) => void]
      const path = words.at(-1)
      if (program !== 'fallocate' || !this.covers(path)) return run(...args)
      const [, , from, , length] = words.map(Number) as [number, number, number, number, number]
      const perform = (bytes: number) => {
        this.punch(path, from, bytes)
        return Promise.resolve()
      }
      void this.async(
        `punch ${this.name(path)}`,
        () => perform(length),
        () => perform(length >> 1),
      ).then(() => done(), done)
    })
  }

  private punch(path: string, from: number, length: number): void {
    this.own = true
    try {
      const fd = fs.openSync(path, 'r+')
      fs.writeSync(fd, Buffer.alloc(length), 0, length, from)
      fs.closeSync(fd)
      this.durable.punched(path, from, length)
    } finally {
      this.own = false
    }
  }

  private patchHandle(handle: Handle, path: string): Handle {
    this.handles.add(handle)
    const name = this.name(path)
    const wrap = (method: string, make: (original: Sync) => unknown) => {
      Reflect.set(handle, method, make((Reflect.get(handle, method) as Sync).bind(handle)))
    }
    wrap('write', (write: Sync) => (...args: never[]) => {
      const [bytes, start, length, position] = args as unknown as [Uint8Array, ...number[]]
      const half = () => write(...([bytes, start, length! >> 1, position] as never[]))
      return this.async(`write ${name}`, () => write(...args) as Promise<void>, half as never)
    })
    wrap('writeFile', (write: Sync) => (...args: never[]) => {
      const bytes = args[0] as unknown as Uint8Array
      const half = async () => {
        await (write(...([bytes.subarray(0, bytes.length >> 1)] as never[])) as Promise<void>)
        // It goes on until all is written, so it fails.
        if (this.plan?.fault === 'short') throw systemError('ENOSPC', `write ${name}`)
      }
      return this.async(`write ${name}`, () => write(...args) as Promise<void>, half)
    })
    wrap(
      'sync',
      (sync: Sync) =>
        (...args: never[]) =>
          this.async(`fsync ${name}`, async () => {
            await sync(...args)
            this.synced(path)
          }),
    )
    wrap('close', (close: Sync) => async (...args: never[]) => {
      this.handles.delete(handle)
      this.fds.delete(handle.fd)
      await (close(...args) as Promise<void>)
    })
    return handle
  }

  private synced(path: string): void {
    this.own = true
    try {
      this.durable.synced(path)
    } finally {
      this.own = false
    }
  }

  private opened(fd: number, path: string, flags: unknown): void {
    this.fds.set(fd, path)
    if (typeof flags === 'string' && flags.startsWith('w')) this.durable.emptied(path)
  }
}

function systemError(code: Code, what: string): NodeJS.ErrnoException {
  const [syscall] = what.split(' ')
  const text = `${code}: ${TEXTS[code]}, ${syscall} '${what.slice(syscall!.length + 1)}'`
  return Object.assign(new Error(text), { code, syscall, errno: -1 })
}
