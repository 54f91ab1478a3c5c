import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The path, without `.wasm` and `.abi`, of a contract that the npm package proton-tsc ships. */
export function shipped(name: string): string {
  const manifest = createRequire(import.meta.url).resolve('proton-tsc/package.json')
  return join(dirname(manifest), 'external', name, name)
}
