/** Examples as the contract shows them, and what of them cannot be compared. */
import { resolveRef, type Example } from '../../../scripts/codegen/contract.ts'
import { contract } from '../support.ts'

/** A field that differs from run to run, by the names and indices that lead to it. */
interface Varying {
  path: readonly (string | number)[]
  reason: string
}

const VARYING: { readonly [example: string]: readonly Varying[] } = {
  DatabaseSizeResponse: [
    { path: ['free_bytes'], reason: 'the memory that this machine has left' },
    { path: ['files', 1, 'bytes'], reason: 'when RocksDB writes files of the state' },
  ],
}

const PREFIX = '#/components/examples/'

/** The value that the contract shows. */
export const shownValue = (ref: string): unknown =>
  resolveRef<Example>(contract, { $ref: ref }).value

/** The value with the types of what differs from run to run, in the place of it. */
export function settled(ref: string, value: unknown): unknown {
  const copy = structuredClone(value)
  for (const { path } of VARYING[ref.slice(PREFIX.length)] ?? []) {
    const name = path.at(-1)!
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((at, key) => Reflect.get(at as object, key), copy)
    Reflect.set(holder as object, name, typeof Reflect.get(holder as object, name))
  }
  return copy
}
