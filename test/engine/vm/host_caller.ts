import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { CompiledCode } from '../../../src/engine/vm/compiled_code.ts'
import { HOST_FUNCTIONS } from '../../../src/engine/vm/host/table.ts'
import type { WasmInstance } from '../../../src/engine/vm/instance.ts'
import { N } from '../../../src/engine/protocol/name.ts'
import { LocalPreparer } from '../../../src/engine/vm/preparation/preparer.ts'
import { assemble } from './assembler.ts'
import { FakeContext } from './fake_context.ts'

type Argument = number | bigint | string

/** Calls host functions directly, on the memory of an instance of one page. */
export class HostCaller {
  readonly ctx: FakeContext
  readonly vm: WasmInstance

  /** @param apply instructions of the contract */
  constructor(ctx = new FakeContext('contract'), pages = 1, apply: number[] = []) {
    const code = assemble({ functions: [{ type: 0, code: apply }], memory: { initial: pages } })
    const form = { count_depth: false, movable_memory: false }
    const code_hash = sha256(code)
    const preparer = new LocalPreparer()
    const compiled = new CompiledCode(code_hash, preparer)
    compiled.accept(
      preparer.prepare({
        code_hash,
        getCode: () => code,
        max_call_depth: 250,
        movable_memory: false,
      }),
    )
    this.vm = compiled.instantiate(form, false)
    this.ctx = ctx
    this.vm.ctx = ctx
  }

  /** Names may be given as texts. */
  call(name: string, ...args: Argument[]): number | bigint | void {
    const f = HOST_FUNCTIONS.get(name)!.link(this.vm) as (...a: unknown[]) => number | bigint | void
    return f(...args.map((a) => (typeof a === 'string' ? N(a) : a)))
  }

  put(at: number, bytes: Uint8Array | number[]): number {
    this.vm.u8.set(bytes, at)
    return at
  }

  text(at: number, text: string): number {
    return this.put(at, [...Buffer.from(text, 'latin1'), 0])
  }

  bytes(at: number, length: number): number[] {
    return [...this.vm.u8.slice(at, at + length)]
  }

  get console(): string {
    const text = this.ctx.console
    this.ctx.console = ''
    return text
  }
}
