import { readFileSync } from 'node:fs'
import { CODE_SHAPES, largeContract } from '../../test/support/code_shapes.ts'

const external = (name: string): Uint8Array =>
  readFileSync(`node_modules/proton-tsc/external/${name}/${name}.wasm`)

/** Three real contracts, one of the size of a system contract, and one with as many functions as may be. */
export const CONTRACTS: readonly [name: string, code: Uint8Array][] = [
  ['eosio.token', external('eosio.token')],
  ['probe', readFileSync('test/fixtures/probe/probe.wasm')],
  ['atomicassets', external('atomicassets')],
  ['215 kB of 1,000 functions', largeContract(1_000, 215_000)],
  ['8,191 functions', CODE_SHAPES.functions_empty!()],
]
