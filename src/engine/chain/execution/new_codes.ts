import type { BlockContext } from './block_context.ts'

interface NewCode {
  code_hash: Uint8Array
  code: Uint8Array
}

/**
 * Bytes. In a replay, a shorter code is prepared sooner than a thread for it has started, which takes 0.2 s of
 * the processor that V8 needs for its compilers.
 */
const LONG_CODE = 128 * 1024

/**
 * The codes that a transaction has set. They are prepared after it: a copy and a message for each are not
 * billed, because the reference does nothing of the kind in `setcode`.
 */
export class NewCodes {
  private codes: NewCode[] | undefined

  /** Keeps a code that an action has set. */
  add(code_hash: Uint8Array, code: Uint8Array): void {
    this.codes ??= []
    this.codes.push({ code_hash, code })
  }

  /** Lets another thread prepare them for their first run. */
  prepare({ db, runtime, status }: BlockContext): void {
    if (this.codes === undefined) return
    const { max_call_depth } = db.global_property.single().wasm_configuration
    for (const { code_hash, code } of this.codes) {
      const may_start = status !== 'irreversible' || code.length > LONG_CODE
      runtime.prepareAhead(code_hash, code, max_call_depth, may_start)
    }
    this.codes = undefined
  }
}
