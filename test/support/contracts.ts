/** The contracts that the npm package proton-tsc ships, and the probe. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const SHIPPED = join(dirname(require.resolve('proton-tsc/package.json')), 'external')
const PROBE = join(import.meta.dirname, '../fixtures/probe')

export interface ContractFiles {
  wasm: Buffer
  /** The ABI as JSON text. */
  abi: string
}

/** @param name `eosio.token`, `atomicassets` or `probe` */
export function contractFiles(name: string): ContractFiles {
  const folder = name === 'probe' ? PROBE : join(SHIPPED, name)
  return {
    wasm: readFileSync(join(folder, `${name}.wasm`)),
    abi: readFileSync(join(folder, `${name}.abi`), 'utf8'),
  }
}
