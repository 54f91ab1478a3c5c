import { fail } from '../../errors.ts'
import { ByteCursor } from './byte_cursor.ts'
import { I64, NO_RESULT, functionType } from './module.ts'
import type { WasmModule } from './module.ts'
import { OP, sizeOfType } from './opcodes.ts'
import { skipImmediates } from '../instrument/scan_body.ts'

const MAX_MEMORY_PAGES = 528
const MAX_MEMORY_INIT = 64 * 1024
const MAX_TABLE_ELEMENTS = 1024
const MAX_MUTABLE_GLOBAL_BYTES = 1024
const MAX_FUNC_LOCAL_BYTES = 8192
const MAX_MEMORY_OFFSET = 33 * 1024 * 1024

/**
 * Limits of the chain before they could be configured (spring: wasm_eosio_validation.cpp,
 * wasm_eosio_constraints.hpp), in the order in which the reference looks at them.
 */
export function checkGenesisConstraints(m: WasmModule): void {
  if (m.memory !== undefined && m.memory.initial > MAX_MEMORY_PAGES) {
    refuse('initial memory size must be less than or equal to 33792KiB')
  }
  for (const { offset, bytes } of m.data) {
    if (offset + bytes.length > MAX_MEMORY_INIT) refuse('data segments must lie in first 64KiB')
  }
  if (m.table !== undefined && m.table.length > MAX_TABLE_ELEMENTS) {
    refuse(`table limited to ${MAX_TABLE_ELEMENTS} elements`)
  }
  const mutable = m.globals.filter((g) => g.mutable)
  if (mutable.reduce((sum, g) => sum + sizeOfType(g.type), 0) > MAX_MUTABLE_GLOBAL_BYTES) {
    refuse(`has more than ${MAX_MUTABLE_GLOBAL_BYTES} bytes of mutable globals`)
  }
  m.bodies.forEach((_, i) => checkLocals(m, i))
  if (!exportsApply(m)) {
    refuseCode("Smart contract's apply function not exported; non-existent; or wrong type")
  }
  m.bodies.forEach((_, i) => checkOffsets(m, i))
}

function refuseCode(message: string): never {
  fail('wasm_execution_error', message)
}

function refuse(what: string): never {
  refuseCode(`Smart contract ${what}`)
}

function checkLocals(m: WasmModule, index: number): void {
  let bytes = 0
  for (const { count, type } of m.bodies[index]!.locals) bytes += count * sizeOfType(type)
  for (const type of m.types[m.functions[index]!]!.params) bytes += sizeOfType(type)
  if (bytes > MAX_FUNC_LOCAL_BYTES) {
    refuse(`function has more than ${MAX_FUNC_LOCAL_BYTES} bytes of stack usage`)
  }
}

function exportsApply(m: WasmModule): boolean {
  return m.exports.some((e) => {
    if (e.kind !== 0 || e.name !== 'apply') return false
    const { params, result } = functionType(m, e.index)!
    return result === NO_RESULT && params.length === 3 && params.every((p) => p === I64)
  })
}

function checkOffsets(m: WasmModule, index: number): void {
  const { start, end } = m.bodies[index]!
  const c = new ByteCursor(m.code, start, end)
  while (c.pos < end) {
    const op = c.u8()
    if (op < OP.first_load || op > OP.last_store) {
      skipImmediates(c, op)
      continue
    }
    c.varuint32()
    if (c.varuint32() >= MAX_MEMORY_OFFSET) {
      refuse('used an invalid large memory store/load offset')
    }
  }
}
