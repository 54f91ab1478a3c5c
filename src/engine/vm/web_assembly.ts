/** The engine's WebAssembly, as much of it as is used: the compiler's libraries here lack its types. */
export interface CompiledModule {
  readonly brand: 'WebAssembly.Module'
}

/** The used part of WebAssembly.Memory. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer
  /** Pages before; throws RangeError where it cannot grow. */
  grow(pages: number): number
}

interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => CompiledModule
  Instance: new (
    module: CompiledModule,
    imports: Record<string, Record<string, unknown>>,
  ) => { readonly exports: Record<string, unknown> }
  CompileError: new () => Error
  RuntimeError: new () => Error
}

/** The WebAssembly API of V8, with the types that are used here. */
export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly
