/** A number that depends on every row of some tables, found through each of their indices. */
import type { Database } from '../../../../src/engine/state/database.ts'

export function stateDigest(db: Database): number {
  let sum = 0
  const add = (value: number) => (sum = (Math.imul(sum, 31) + value) >>> 0)
  const { key_value, index64, account } = db
  for (const row of key_value.numbers()) {
    add(key_value.t_id(row))
    add(Number(key_value.primary(row)))
    const value = key_value.value(row)
    add(value.length)
    // All bytes of a value are the same, unless it was read while it changed.
    for (let i = 0; i < value.length; i += 1 + (value.length >> 6)) add(value[i]!)
  }
  for (let row = index64.firstSecondary(1); row >= 0; row = index64.nextSecondary(row)) {
    add(Number(index64.secondary(row)))
    add(Number(index64.primary(row)))
  }
  for (const { name, creation_date, abi } of account.all('by_name')) {
    add(Number(name))
    add(creation_date)
    add(abi.length)
  }
  add(key_value.size)
  add(account.size)
  return sum
}
