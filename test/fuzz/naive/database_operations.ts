import { refuseNan } from './database.ts'
import type { Found, NaiveDatabase } from './database.ts'
import { assertion } from './machine.ts'
import type { Machine } from './machine.ts'
import { hexText } from './printing.ts'
import { compareKeys } from './state.ts'
import type { Kind, NaiveRow } from './state.ts'

const NO_VALUE = new Uint8Array(0)

type Place = [code: bigint, scope: bigint, table: bigint]

const place = (m: Machine): Place => [m.u64(), m.u64(), m.u64()]

/** Keeps the iterator and prints the key that a call gives besides it. */
function tell(m: Machine, { iterator, row }: Found): void {
  m.keep(iterator)
  m.print(`,${row ? row.primary : 0}`)
}

/** Opcodes 80 to 89: the primary index. */
export function primaryOperation(m: Machine, db: NaiveDatabase, op: number): void {
  switch (op) {
    case 80: {
      const [scope, table, payer, primary] = [m.u64(), m.u64(), m.u64(), m.u64()] as const
      const content = { value: m.bytes().slice(), key: 0n }
      return m.keep(db.store('i64', scope, table, payer, primary, content))
    }
    case 81: {
      const iterator = m.iterator()
      const payer = m.u64()
      return db.update('i64', iterator, payer, { value: m.bytes().slice(), key: 0n })
    }
    case 82:
      return db.remove('i64', m.iterator())
    case 83:
      return get(m, db)
    case 84:
      return tell(m, db.next('i64', m.iterator()))
    case 85:
      return tell(m, db.previous('i64', m.iterator()))
    case 89:
      return m.keep(db.end('i64', ...place(m)))
  }
  const where = place(m)
  const id = m.u64()
  const fits = (row: NaiveRow): boolean =>
    op === 86 ? row.primary === id : op === 87 ? row.primary >= id : row.primary > id
  m.keep(db.search('i64', where, fits).iterator)
}

function get(m: Machine, db: NaiveDatabase): void {
  const iterator = m.iterator()
  const room = m.u32()
  const value = db.get(iterator)
  const copied = Math.min(room, value.length, m.buffer.length)
  m.buffer.set(value.subarray(0, copied))
  m.print(room === 0 ? value.length : copied)
  m.print(`,${hexText(m.buffer.subarray(0, copied))}`)
}

export const SECONDARY: readonly { kind: Kind; bytes: number }[] = [
  { kind: 'idx64', bytes: 8 },
  { kind: 'idx128', bytes: 16 },
  { kind: 'idx_double', bytes: 8 },
  { kind: 'idx_long_double', bytes: 16 },
  { kind: 'idx256', bytes: 32 },
]

/** Opcodes 90 to 94: one kind of secondary index each. */
export function secondaryOperation(m: Machine, db: NaiveDatabase, op: number): void {
  const { kind, bytes } = SECONDARY[op - 90]!
  const f = m.u8()
  switch (f) {
    case 0: {
      const [scope, table, payer, primary] = [m.u64(), m.u64(), m.u64(), m.u64()] as const
      const content = { value: NO_VALUE, key: m.key(bytes) }
      return m.keep(db.store(kind, scope, table, payer, primary, content))
    }
    case 1: {
      const iterator = m.iterator()
      const payer = m.u64()
      return db.update(kind, iterator, payer, { value: NO_VALUE, key: m.key(bytes) })
    }
    case 2:
      return db.remove(kind, m.iterator())
    case 3:
    case 4:
    case 5:
    case 6:
      return search(m, db, { kind, bytes, f })
    case 7:
      return m.keep(db.end(kind, ...place(m)))
    case 8:
      return tell(m, db.next(kind, m.iterator()))
    case 9:
      return tell(m, db.previous(kind, m.iterator()))
    default:
      assertion(`probe: bad ${kind === 'idx256' ? kind : 'index'} function`)
  }
}

function search(
  m: Machine,
  db: NaiveDatabase,
  { kind, bytes, f }: { kind: Kind; bytes: number; f: number },
): void {
  const where = place(m)
  if (f === 4) {
    const primary = m.u64()
    const found = db.search(kind, where, (row) => row.primary === primary)
    m.keep(found.iterator)
    m.print(',')
    return m.hex(found.row?.key ?? 0n, bytes)
  }
  const key = m.key(bytes)
  refuseNan(kind, key)
  const found = db.search(kind, where, (row) => {
    const order = compareKeys(kind, row.key, key)
    return f === 3 ? order === 0 : f === 5 ? order >= 0 : order > 0
  })
  tell(m, found)
  if (f === 3) return
  m.print(',')
  m.hex(found.row?.key ?? key, bytes)
}
