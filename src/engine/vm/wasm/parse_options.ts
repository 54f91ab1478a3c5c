import type { WasmConfig } from '../../protocol/config.ts'

/** Limits and habits of the parser (eos-vm: options.hpp). Infinity is "no limit". */
export interface ParseOptions {
  max_mutable_global_bytes: number
  max_table_elements: number
  /** Types, globals, exports, element and data segments. */
  max_section_elements: number
  max_import_elements: number
  max_function_elements: number
  max_element_segment_elements: number
  max_data_segment_bytes: number
  max_linear_memory_init: number
  /** Locals and operands of one function, bytes. */
  max_func_local_bytes: number
  max_local_sets: number
  max_nested_structures: number
  max_br_table_elements: number
  max_symbol_bytes: number
  max_memory_offset: number
  max_code_bytes: number
  max_pages: number
  forbid_export_mutable_globals: boolean
  /** The bytes after a body's end are read too: some of them may be part of it. */
  allow_code_after_function_end: boolean
  /** Limits flags are any u32 of which bit 0 counts. */
  allow_u32_limits_flags: boolean
  allow_invalid_empty_local_set: boolean
  /** Block type 0 means "no result". */
  allow_zero_blocktype: boolean
}

/** At apply the code was accepted before: nothing is limited but the form (spring: apply_options). */
export const APPLY_OPTIONS: ParseOptions = {
  max_mutable_global_bytes: Infinity,
  max_table_elements: Infinity,
  max_section_elements: Infinity,
  max_import_elements: Infinity,
  max_function_elements: Infinity,
  max_element_segment_elements: Infinity,
  max_data_segment_bytes: Infinity,
  max_linear_memory_init: Infinity,
  max_func_local_bytes: Infinity,
  max_local_sets: Infinity,
  max_nested_structures: Infinity,
  max_br_table_elements: Infinity,
  max_symbol_bytes: Infinity,
  max_memory_offset: Infinity,
  max_code_bytes: Infinity,
  max_pages: 65536,
  forbid_export_mutable_globals: false,
  allow_code_after_function_end: false,
  allow_u32_limits_flags: true,
  allow_invalid_empty_local_set: true,
  allow_zero_blocktype: true,
}

/** Before configurable limits, when another parser came first, with its limits (spring: setcode_options). */
export const GENESIS_OPTIONS: ParseOptions = {
  ...APPLY_OPTIONS,
  allow_code_after_function_end: true,
}

/** With CONFIGURABLE_WASM_LIMITS2: the chain's limits, and no leniency. */
export function configuredOptions(config: WasmConfig): ParseOptions {
  return {
    ...APPLY_OPTIONS,
    max_mutable_global_bytes: config.max_mutable_global_bytes,
    max_table_elements: config.max_table_elements,
    max_section_elements: config.max_section_elements,
    max_import_elements: config.max_section_elements,
    max_function_elements: config.max_section_elements,
    max_linear_memory_init: config.max_linear_memory_init,
    max_func_local_bytes: config.max_func_local_bytes,
    max_nested_structures: config.max_nested_structures,
    max_symbol_bytes: config.max_symbol_bytes,
    max_code_bytes: config.max_code_bytes,
    max_pages: config.max_pages,
    allow_u32_limits_flags: false,
    allow_invalid_empty_local_set: false,
    allow_zero_blocktype: false,
  }
}
