import type { SecondaryIndex, SecondaryKey } from '../database/secondary_index.ts'
import type { WasmInstance } from '../instance.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'
import { KEY128, KEY256, KEY64, KEY_DOUBLE, KEY_LONG_DOUBLE } from './secondary_keys.ts'
import type { KeyForm } from './secondary_keys.ts'

/** Units of work of a call. */
const CALL = 15

type Search = 'lowerBound' | 'upperBound'

/** The ten functions of one kind of secondary index (spring: webassembly/database.cpp). */
function indexFunctions<K extends SecondaryKey>(form: KeyForm<K>): HostFunctions {
  const prefix = `db_${form.name}_`
  return Object.fromEntries(
    Object.entries({ ...changes(form), ...lookups(form), ...moves(form) }).map(([name, f]) => [
      prefix + name,
      f,
    ]),
  )
}

/** The key at `ptr`; for 256 bits, the parameter after the pointer is the count. */
function readKey<K extends SecondaryKey>(
  vm: WasmInstance,
  form: KeyForm<K>,
  ptr: number,
  count: number,
): K {
  form.check(vm, ptr, count)
  vm.checkContextAware()
  form.checkCount(count)
  const key = form.read(vm, ptr)
  form.checkKey(key)
  vm.spend(CALL)
  return key
}

function givePrimary(
  vm: WasmInstance,
  index: SecondaryIndex<SecondaryKey>,
  ptr: number,
  iterator: number,
): number {
  if (iterator >= 0) vm.setU64(ptr, index.primary)
  return iterator
}

function changes<K extends SecondaryKey>(form: KeyForm<K>): HostFunctions {
  return {
    store: hostFunction(
      `llll${form.params}>i`,
      'itself',
      (vm) =>
        (scope: bigint, table: bigint, payer: bigint, id: bigint, ptr: number, count: number) => {
          const key = readKey(vm, form, ptr, count)
          const index = form.index(vm.ctx.contract_db)
          return index.store(u64(scope), u64(table), u64(payer), u64(id), key)
        },
    ),
    update: hostFunction(
      `il${form.params}`,
      'itself',
      (vm) => (iterator: number, payer: bigint, ptr: number, count: number) => {
        const key = readKey(vm, form, ptr, count)
        form.index(vm.ctx.contract_db).update(iterator, u64(payer), key)
      },
    ),
    remove: hostFunction('i', 'action', (vm) => (iterator: number) => {
      vm.spend(CALL)
      form.index(vm.ctx.contract_db).remove(iterator)
    }),
  }
}

/** With a count, the parameters after the key's pointer move by one. */
function afterKey<K extends SecondaryKey>(
  form: KeyForm<K>,
  a: number,
  b: number | undefined,
): { count: number; rest: number } {
  return form.params === 'ii' ? { count: a, rest: b! } : { count: 0, rest: a }
}

function lookups<K extends SecondaryKey>(form: KeyForm<K>): HostFunctions {
  return {
    find_secondary: hostFunction(
      `lll${form.params}i>i`,
      'itself',
      (vm) => (code: bigint, scope: bigint, table: bigint, ptr: number, a: number, b?: number) => {
        const { count, rest } = afterKey(form, a, b)
        vm.checkPointer(rest, 8)
        const key = readKey(vm, form, ptr, count)
        const index = form.index(vm.ctx.contract_db)
        const found = index.findSecondary(u64(code), u64(scope), u64(table), key)
        return givePrimary(vm, index, rest, found)
      },
    ),
    find_primary: findPrimary(form),
    lowerbound: bound(form, 'lowerBound'),
    upperbound: bound(form, 'upperBound'),
  }
}

function findPrimary<K extends SecondaryKey>(form: KeyForm<K>): HostFunctions[string] {
  const find = (
    vm: WasmInstance,
    code: bigint,
    scope: bigint,
    table: bigint,
    range: [ptr: number, count: number],
    primary: bigint,
  ): number => {
    form.check(vm, ...range)
    vm.checkContextAware()
    form.checkCount(range[1])
    vm.spend(CALL)
    const index = form.index(vm.ctx.contract_db)
    const found = index.findPrimary(u64(code), u64(scope), u64(table), u64(primary))
    if (found >= 0) form.write(vm, range[0], index.secondary)
    return found
  }
  return hostFunction(`lll${form.params}l>i`, 'itself', (vm) =>
    form.params === 'ii'
      ? (code: bigint, scope: bigint, table: bigint, ptr: number, n: number, primary: bigint) =>
          find(vm, code, scope, table, [ptr, n], primary)
      : (code: bigint, scope: bigint, table: bigint, ptr: number, primary: bigint) =>
          find(vm, code, scope, table, [ptr, 0], primary),
  )
}

/**
 * Both keys are written where the row is found. Where their places overlap, the last written
 * stays: in the reference an unaligned key is written last, the primary key after the secondary.
 */
function bound<K extends SecondaryKey>(form: KeyForm<K>, search: Search): HostFunctions[string] {
  return hostFunction(
    `lll${form.params}i>i`,
    'itself',
    (vm) => (code: bigint, scope: bigint, table: bigint, ptr: number, a: number, b?: number) => {
      const { count, rest } = afterKey(form, a, b)
      vm.checkPointer(rest, 8)
      const key = readKey(vm, form, ptr, count)
      const index = form.index(vm.ctx.contract_db)
      const found = index[search](u64(code), u64(scope), u64(table), key)
      if (found < 0) return found
      const primary_first = (rest & 7) === 0
      if (primary_first) vm.setU64(rest, index.primary)
      form.write(vm, ptr, index.secondary)
      if (!primary_first) vm.setU64(rest, index.primary)
      return found
    },
  )
}

function moves<K extends SecondaryKey>(form: KeyForm<K>): HostFunctions {
  return {
    end: hostFunction('lll>i', 'action', (vm) => (code: bigint, scope: bigint, table: bigint) => {
      vm.spend(CALL)
      return form.index(vm.ctx.contract_db).end(u64(code), u64(scope), u64(table))
    }),
    next: hostFunction('ii>i', 'itself', (vm) => (iterator: number, primary: number) => {
      vm.checkPointer(primary, 8)
      vm.checkContextAware()
      vm.spend(CALL)
      const index = form.index(vm.ctx.contract_db)
      return givePrimary(vm, index, primary, index.next(iterator))
    }),
    previous: hostFunction('ii>i', 'itself', (vm) => (iterator: number, primary: number) => {
      vm.checkPointer(primary, 8)
      vm.checkContextAware()
      vm.spend(CALL)
      const index = form.index(vm.ctx.contract_db)
      return givePrimary(vm, index, primary, index.previous(iterator))
    }),
  }
}

/** Host functions of secondary tables. */
export const secondaryDatabaseFunctions: HostFunctions = {
  ...indexFunctions(KEY64),
  ...indexFunctions(KEY128),
  ...indexFunctions(KEY256),
  ...indexFunctions(KEY_DOUBLE),
  ...indexFunctions(KEY_LONG_DOUBLE),
}
