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
  /** Secondary keys; any where there are none. */
  keys: readonly bigint[]
  /** Rows that are there, as far as is known, by kind. */
  there: Map<Kind, bigint[]>
}

const anywhere = (): Focus => ({
  scopes: SCOPES,
  tables: TABLES,
  kinds: SECONDARY.map((_, kind) => kind),
  primaries: PRIMARIES,
  keys: [],
  there: new Map(),
})

/**
 * Mostly one table and one kind of keys, so that rows and iterators meet; and often rows that are
 * there, which do not end the program.
 */
export function chooseFocus(r: Random, state: NaiveState): Focus {
  if (r.once(6)) return anywhere()
  const kind = r.below(SECONDARY.length)
  const [scope, table] = [r.pick(SCOPES), r.pick(TABLES)]
  const there = new Map<Kind, bigint[]>()
  for (const of of ['i64', SECONDARY[kind]!.kind] as const) {
    there.set(of, rowsOf(state, of, scope, table))
  }
  return {
    scopes: [scope],
    tables: [table],
    kinds: [kind],
    primaries: [...PRIMARIES, r.bits(64), r.bits(64), r.bits(4), r.bits(4)],
    keys: Array.from({ length: 5 }, () => secondaryKey(r, kind)),
    there,
  }
}

function rowsOf({ tables, rows }: NaiveState, kind: Kind, scope: bigint, name: bigint): bigint[] {
  const found = tables.find(
    ({ code, scope: s, table }) => code === NAMES.contract && s === scope && table === name,
  )
  return rows
    .filter((row) => row.t_id === found?.id && row.kind === kind)
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

/** A key to store a row by: mostly a new one, of which is taken note. */
function newPrimary(r: Random, { primaries, there }: Focus, kind: Kind): bigint {
  const known = there.get(kind)
  const fresh = primaries.filter((primary) => !known?.includes(primary))
  const primary = r.pick(fresh.length === 0 || r.once(20) ? primaries : fresh)
  known?.push(primary)
  return primary
}

/** A row that is there, if one is known; of one that goes away is taken note. */
function oldPrimary(r: Random, focus: Focus, kind: Kind, goes = false): bigint {
  const known = focus.there.get(kind) ?? []
  if (known.length === 0 || r.once(12)) return r.pick(focus.primaries)
  const index = r.below(known.length)
  return goes ? known.splice(index, 1)[0]! : known[index]!
}

/** What needs a row would mostly end the program. */
const nothingThere = (r: Random, { there }: Focus, kind: Kind): boolean =>
  there.get(kind)?.length === 0 && !r.once(12)

/** The register with an iterator: often of a row that is looked up for it, or of an end. */
function iterator(
  p: Program,
  r: Random,
  focus: Focus,
  lookUp: { kind: Kind; find: number[]; end: number[] },
  use: { goes?: boolean; end?: boolean } = {},
): number {
  if (r.once(10)) return register(r)
  const at = r.below(4)
  const at_end = use.end && r.once(3)
  p.raw(at_end ? lookUp.end : lookUp.find)
  place(p, r, focus)
  if (!at_end) p.u64(oldPrimary(r, focus, lookUp.kind, use.goes))
  p.u8(at)
  return at
}

export function primary(p: Program, r: Random, focus: Focus): void {
  const lookUp = { kind: 'i64' as const, find: [86], end: [89] }
  const wanted = r.pick([80, 80, 80, 81, 81, 82, 83, 84, 84, 85, 85, 86, 87, 88, 89])
  const op = wanted <= 85 && nothingThere(r, focus, 'i64') ? 80 : wanted
  if (op === 80) {
    p.u8(op).u64(r.pick(focus.scopes)).u64(r.pick(focus.tables)).u64(storePayer(r))
    p.u64(newPrimary(r, focus, 'i64'))
    p.bytes(r.bytes(r.below(r.once(10) ? 600 : 20))).u8(register(r))
  } else if (op >= 86) {
    place(p.u8(op), r, focus)
    if (op !== 89) p.u64(r.once(2) ? r.pick(focus.primaries) : oldPrimary(r, focus, 'i64'))
    p.u8(register(r))
  } else {
    const use = { goes: op === 82, end: op >= 84 }
    const at = iterator(p, r, focus, lookUp, use)
    p.u8(op).u8(at)
    if (op === 81) p.u64(payerOf(r)).bytes(r.bytes(r.below(30)))
    else if (op === 83) p.u32(r.pick([0, 1, 5, 100, 9000]))
    else if (op >= 84) p.u8(register(r))
  }
}

/** Functions of a secondary index, as the probe numbers them. */
const F = { store: 0, update: 1, remove: 2, find_primary: 4, end: 7, next: 8, previous: 9 }
const NEED_ROW = [F.update, F.remove, F.next, F.previous]

export function secondary(p: Program, r: Random, focus: Focus): void {
  const position = r.pick(focus.kinds)
  const { kind, bytes } = SECONDARY[position]!
  const op = 90 + position
  const key = (): Program =>
    p.wide(focus.keys.length > 0 ? r.pick(focus.keys) : secondaryKey(r, position), bytes)
  const wanted = r.pick([0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 5, 5, 6, 6, 7, 8, 8, 9, 9])
  const f = NEED_ROW.includes(wanted) && nothingThere(r, focus, kind) ? F.store : wanted
  if (f === F.store) {
    p.u8(op).u8(f).u64(r.pick(focus.scopes)).u64(r.pick(focus.tables)).u64(storePayer(r))
    p.u64(newPrimary(r, focus, kind))
    key().u8(register(r))
  } else if (NEED_ROW.includes(f)) {
    const lookUp = { kind, find: [op, F.find_primary], end: [op, F.end] }
    const at = iterator(p, r, focus, lookUp, { goes: f === F.remove, end: f >= F.next })
    p.u8(op).u8(f).u8(at)
    if (f >= F.next) p.u8(register(r))
    else if (f === F.update) {
      p.u64(payerOf(r))
      key()
    }
  } else {
    place(p.u8(op).u8(f), r, focus)
    if (f === F.find_primary) p.u64(oldPrimary(r, focus, kind))
    else if (f !== F.end) key()
    p.u8(register(r))
  }
}

function secondaryKey(r: Random, kind: number): bigint {
  const { bytes } = SECONDARY[kind]!
  if (kind === 2 || kind === 3) return r.once(30) ? nanFloat(r, bytes) : orderedFloat(r, bytes)
  if (kind === 4) return integer(r, 128) | (integer(r, 128) << 128n)
  return integer(r, 8 * bytes)
}
