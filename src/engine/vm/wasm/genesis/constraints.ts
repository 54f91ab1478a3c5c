import { fail } from '../../../errors.ts'
import { OP } from '../opcodes.ts'
import { afterImmediates, afterLeb, readLeb } from '../skip.ts'
import { F64, I64, NONE, typeOfFunction } from './module.ts'
import type { GenesisFunction, GenesisModule } from './module.ts'

const MAX_MEMORY_PAGES = 528
const MAX_MEMORY_INIT = 64 * 1024
const MAX_TABLE_ELEMENTS = 1024
const MAX_MUTABLE_GLOBAL_BYTES = 1024
const MAX_FUNC_LOCAL_BYTES = 8192
const MAX_MEMORY_OFFSET = 33 * 1024 * 1024
/** Of structures, as {@link NestingCount} counts them. */
const MAX_NESTING = 1024
const I32_CONST = 0x41

/**
 * Limits of the chain before they were configurable (spring: wasm_eosio_validation.cpp,
 * wasm_eosio_constraints.hpp), in the order of the reference's checks.
 * @param speculative whether this node decides; in received blocks, nesting is not limited
 * @throws ChainError wasm_execution_error
 */
export function checkGenesisConstraints(
  code: Uint8Array,
  m: GenesisModule,
  speculative: boolean,
): void {
  const memory = m.memories[m.imported_memories]
  if (memory !== undefined && memory.min > MAX_MEMORY_PAGES) {
    refuse('initial memory size must be less than or equal to 33792KiB')
  }
  for (const { base, size } of m.data) {
    if (base.op !== I32_CONST) refuse('has unexpected memory base offset type')
    if ((base.value >>> 0) + size > MAX_MEMORY_INIT) {
      refuse('data segments must lie in first 64KiB')
    }
  }
  const table = m.tables[m.imported_tables]
  if (table !== undefined && table.min > MAX_TABLE_ELEMENTS) {
    refuse(`table limited to ${MAX_TABLE_ELEMENTS} elements`)
  }
  const mutable = m.globals.slice(m.imported_globals).filter((g) => g.mutable)
  if (mutable.reduce((sum, g) => sum + sizeOf(g.type), 0) > MAX_MUTABLE_GLOBAL_BYTES) {
    refuse(`has more than ${MAX_MUTABLE_GLOBAL_BYTES} bytes of mutable globals`)
  }
  for (const f of m.functions) checkLocals(m, f)
  if (!exportsApply(m)) {
    refuseCode("Smart contract's apply function not exported; non-existent; or wrong type")
  }
  const nesting = speculative ? new NestingCount() : undefined
  for (const f of m.functions) checkInstructions(code, f, nesting)
}

function refuseCode(message: string): never {
  fail('wasm_execution_error', message)
}

function refuse(what: string): never {
  refuseCode(`Smart contract ${what}`)
}

function sizeOf(type: number): number {
  return type === I64 || type === F64 ? 8 : 4
}

function checkLocals(m: GenesisModule, { type_index, locals }: GenesisFunction): void {
  let bytes = 0
  for (const { count, type } of locals) bytes += count * sizeOf(type)
  for (const type of m.types[type_index]!.params) bytes += sizeOf(type)
  if (bytes > MAX_FUNC_LOCAL_BYTES) {
    refuse(`function has more than ${MAX_FUNC_LOCAL_BYTES} bytes of stack usage`)
  }
}

function exportsApply(m: GenesisModule): boolean {
  return m.exports.some(({ name, kind, index }) => {
    if (kind !== 0 || name !== 'apply') return false
    const { params, result } = typeOfFunction(m, index)
    return result === NONE && params.length === 3 && params.every((type) => type === I64)
  })
}

/**
 * Counts how deep structures nest, as the reference does: through all functions, and an `else`
 * counts as a structure that nothing ends.
 */
class NestingCount {
  private depth = 0

  see(op: number): void {
    if (op === OP.end && this.depth > 0) this.depth--
    else if ((op >= OP.block && op <= OP.else) || op === OP.end) {
      this.depth++
      if (this.depth >= MAX_NESTING) refuseCode('Nested depth exceeded')
    }
  }
}

function checkInstructions(
  code: Uint8Array,
  { start, end }: GenesisFunction,
  nesting: NestingCount | undefined,
): void {
  let pos = start
  while (pos < end) {
    const op = code[pos++]!
    if (op < OP.first_load || op > OP.last_store) {
      nesting?.see(op)
      pos = afterImmediates(code, op, pos)
      continue
    }
    pos = afterLeb(code, pos)
    if (readLeb(code, pos) >= MAX_MEMORY_OFFSET) {
      refuse('used an invalid large memory store/load offset')
    }
    pos = afterLeb(code, pos)
  }
}
