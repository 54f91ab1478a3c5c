/** Examples as the contract shows them, and what of them cannot be compared. */
import { resolveRef, type Example } from '../../../scripts/codegen/contract.ts'
import { contract } from '../support.ts'

/** Fields that differ from machine to machine, by example. */
const MACHINE: { [example: string]: { fields: string[]; reason: string } } = {
  DatabaseSizeResponse: {
    fields: ['free_bytes'],
    reason: 'the memory that this machine has left',
  },
}

const PREFIX = '#/components/examples/'

/** The value that the contract shows. */
export const shownValue = (ref: string): unknown =>
  resolveRef<Example>(contract, { $ref: ref }).value

/** The value without what differs from machine to machine, which must be there all the same. */
export function settled(ref: string, value: unknown): unknown {
  const { fields = [] } = MACHINE[ref.slice(PREFIX.length)] ?? {}
  if (fields.length === 0) return value
  const copy = { ...(value as Record<string, unknown>) }
  for (const field of fields) copy[field] = typeof copy[field]
  return copy
}
