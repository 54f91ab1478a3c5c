import { N } from '../../src/engine/protocol/name.ts'
import { SECONDARY } from './naive/database_operations.ts'
import type { Kind, NaiveState } from './naive/state.ts'
import { NAMES } from './names.ts'
import { integer, nanFloat, orderedFloat } from './operands.ts'
import type { Program } from './program.ts'
import type { Random } from './random.ts'

const SCOPES = [0n, N('s'), (1n << 64n) - 1n]
const TABLES = [N('t'), N('u')]
const PRIMARIES = [0n, 1n, 2n, 3n, 5n, 8n, 1n << 63n, (1n << 64n) - 1n]

/** What the operations of one program choose from. */
export interface Focus {
  scopes: readonly bigint[]
  tables: readonly bigint[]
  /** Positions in SECONDARY. */
  kinds: readonly number[]
  primaries: readonly bigint[]
  /** Secondary keys by kind; any where there are none. */
  keys: readonly bigint[]
}

const ANYWHERE: Focus = {
  scopes: SCOPES,
  tables: TABLES,
  kinds: SECONDARY.map((_, kind) => kind),
  primaries: PRIMARIES,
  keys: [],
}

/**
 * Mostly one table and one kind of keys, so that rows and iterators meet; and often rows that are
 * there, which do not end the program.
 */
export function chooseFocus(r: Random, state: NaiveState): Focus {
  if (r.once(4)) return ANYWHERE
  const kind = r.below(SECONDARY.length)
  const scopes = [r.pick(SCOPES)]
  const tables = r.once(3) ? TABLES : [r.pick(TABLES)]
  const there = rowsOf(state, SECONDARY[kind]!.kind, scopes, tables)
  const keys = Array.from({ length: 5 }, () => secondaryKey(r, kind))
  const primaries = [...PRIMARIES, ...there, ...there, ...there, r.bits(64), r.bits(64)]
  return { scopes, tables, kinds: [kind], primaries, keys }
}

function rowsOf(
  { tables, rows }: NaiveState,
  kind: Kind,
  scopes: readonly bigint[],
  names: readonly bigint[],
): bigint[] {
  const ids = tables
    .filter(({ scope, table }) => scopes.includes(scope) && names.includes(table))
    .map(({ id }) => id)
  return rows
    .filter((row) => ids.includes(row.t_id) && (row.kind === kind || row.kind === 'i64'))
    .map(({ primary }) => primary)
}

const payerOf = (r: Random): bigint =>
  r.pick([
    NAMES.contract,
    NAMES.contract,
    NAMES.signer,
    r.once(10) ? NAMES.other : 0n,
    NAMES.contract,
  ])

const register = (r: Random): number => r.below(r.once(20) ? 256 : 4)

function place(p: Program, r: Random, { scopes, tables }: Focus): Program {
  const code = r.once(8) ? r.pick([NAMES.signer, NAMES.other, NAMES.other]) : NAMES.contract
  return p.u64(code).u64(r.pick(scopes)).u64(r.pick(tables))
}

/** A row without a payer ends a program, so it is rare. */
function storePayer(r: Random): bigint {
  return r.once(60) ? 0n : r.once(5) ? NAMES.signer : NAMES.contract
}

/** Looks a row up, and does something to it. */
function found(p: Program, r: Random, focus: Focus, act: (at: number) => void): void {
  const at = r.below(4)
  p.u8(86)
  place(p, r, focus).u64(r.pick(focus.primaries)).u8(at)
  act(at)
}

export function primary(p: Program, r: Random, focus: Focus): void {
  if (r.once(4)) {
    return found(p, r, focus, (at) => {
      const op = r.pick([81, 82, 83, 84, 85])
      if (op === 81)
        p.u8(81)
          .u8(at)
          .u64(payerOf(r))
          .bytes(r.bytes(r.below(30)))
      else if (op === 82) p.u8(82).u8(at)
      else if (op === 83) p.u8(83).u8(at).u32(100)
      else p.u8(op).u8(at).u8(r.below(4))
    })
  }
  const op = r.pick([80, 80, 80, 81, 81, 82, 83, 84, 84, 85, 85, 86, 87, 88, 89])
  p.u8(op)
  if (op === 80) {
    p.u64(r.pick(focus.scopes)).u64(r.pick(focus.tables)).u64(storePayer(r))
    p.u64(r.pick(focus.primaries))
    p.bytes(r.bytes(r.below(r.once(10) ? 600 : 20))).u8(register(r))
  } else if (op === 81)
    p.u8(register(r))
      .u64(payerOf(r))
      .bytes(r.bytes(r.below(30)))
  else if (op === 82) p.u8(register(r))
  else if (op === 83) p.u8(register(r)).u32(r.pick([0, 1, 5, 100, 9000]))
  else if (op <= 85) p.u8(register(r)).u8(register(r))
  else if (op === 89) place(p, r, focus).u8(register(r))
  else place(p, r, focus).u64(r.pick(focus.primaries)).u8(register(r))
}

/** Functions of a secondary index, as the probe numbers them. */
const F = { store: 0, update: 1, remove: 2, find_primary: 4, end: 7, next: 8, previous: 9 }

export function secondary(p: Program, r: Random, focus: Focus): void {
  const kind = r.pick(focus.kinds)
  const op = 90 + kind
  const key = (): Program => {
    const value = focus.keys.length > 0 ? r.pick(focus.keys) : secondaryKey(r, kind)
    return p.wide(value, SECONDARY[kind]!.bytes)
  }
  if (r.once(4)) {
    const at = r.below(4)
    p.u8(op).u8(F.find_primary)
    place(p, r, focus).u64(r.pick(focus.primaries)).u8(at)
    const f = r.pick([F.update, F.update, F.remove, F.next, F.previous])
    p.u8(op).u8(f).u8(at)
    if (f === F.update) {
      p.u64(payerOf(r))
      key()
    } else if (f !== F.remove) p.u8(r.below(4))
    return
  }
  const f = r.pick([0, 0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 6, 7, 8, 8, 9, 9])
  p.u8(op).u8(f)
  if (f === F.store) {
    p.u64(r.pick(focus.scopes)).u64(r.pick(focus.tables)).u64(storePayer(r))
    p.u64(r.pick(focus.primaries))
    key().u8(register(r))
  } else if (f === F.update) {
    p.u8(register(r)).u64(payerOf(r))
    key()
  } else if (f === F.remove) p.u8(register(r))
  else if (f === F.find_primary) place(p, r, focus).u64(r.pick(focus.primaries)).u8(register(r))
  else if (f === F.end) place(p, r, focus).u8(register(r))
  else if (f >= F.next) p.u8(register(r)).u8(register(r))
  else {
    place(p, r, focus)
    key().u8(register(r))
  }
}

function secondaryKey(r: Random, kind: number): bigint {
  const { bytes } = SECONDARY[kind]!
  if (kind === 2 || kind === 3) return r.once(30) ? nanFloat(r, bytes) : orderedFloat(r, bytes)
  if (kind === 4) return integer(r, 128) | (integer(r, 128) << 128n)
  return integer(r, 8 * bytes)
}
