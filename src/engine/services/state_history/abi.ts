/**
 * The ABI of state history: the first message to each reader. Its text is the reference's, spaces included.
 */
import { FINALITY_STRUCTS, MESSAGE_STRUCTS, ROW_STRUCTS, TABLES, VARIANTS } from './abi_types.ts'

const quoted = (text: string): string => `"${text}"`
const list = (names: readonly string[]): string => `[${names.map(quoted).join(', ')}]`
const block = (items: readonly string[]): string => `[\n${items.join(',\n')}\n    ]`

/** Spaces that no rule gives. */
const SPACES: readonly (readonly [string, string])[] = [
  ['"return_value", "type": "bytes" }', '"return_value", "type": "bytes"}'],
  ['{\n            "name": "transaction_header"', '{   "name": "transaction_header"'],
  ['{\n            "name": "transaction",', '{   "name": "transaction",'],
  ['        { "name": "action_receipt", "types"', '\n        { "name": "action_receipt", "types"'],
  ['        { "name": "table_delta", "types"', '\n        { "name": "table_delta", "types"'],
]

/** The ABI as JSON. */
export const STATE_HISTORY_ABI: string = spaced(`{
    "version": "eosio::abi/1.1",
    "structs": ${block([
      ...entriesOf(MESSAGE_STRUCTS).map(structOf(nameFirst)),
      ...entriesOf(ROW_STRUCTS).map(structOf(typeFirst)),
      ...entriesOf(FINALITY_STRUCTS).map(structOf(nameFirst)),
    ])},
    "types": ${block(['        { "new_type_name": "transaction_id", "type": "checksum256" }'])},
    "variants": ${block(
      entriesOf(VARIANTS).map(
        ({ name, items }) => `        { "name": ${quoted(name)}, "types": ${list(items)} }`,
      ),
    )},
    "tables": ${block(
      entriesOf(TABLES).map(
        ({ name, items }) =>
          `        { "name": ${quoted(name)}, "type": ${quoted(name)}, "key_names": ${list(items)} }`,
      ),
    )}
}`)

/** `name: item, item`, one for each line; a line with spaces before it belongs to the line before. */
function entriesOf(text: string): { name: string; items: string[] }[] {
  const lines = text.trim().replaceAll('\n  ', ' ').split('\n')
  return lines.map((line) => {
    const [name, items] = line.split(/: ?/) as [string, string]
    return { name, items: items === '' ? [] : items.split(', ') }
  })
}

type FieldText = (name: string, type: string) => string

function nameFirst(name: string, type: string): string {
  return `{ "name": ${quoted(name)}, "type": ${quoted(type)} }`
}

function typeFirst(name: string, type: string): string {
  return `{ "type": ${quoted(type)}, "name": ${quoted(name)} }`
}

function structOf(field: FieldText): (entry: { name: string; items: string[] }) => string {
  return ({ name: head, items }) => {
    const [name, base] = head.split(' < ') as [string, string | undefined]
    const fields = items.map((item) => {
      const [field_name, type] = item.split(' ') as [string, string]
      return `                ${field(field_name, type)}`
    })
    const extended = base === undefined ? '' : `"base": ${quoted(base)}, `
    const body = fields.length === 0 ? '[]' : `[\n${fields.join(',\n')}\n            ]`
    return `        {\n            "name": ${quoted(name)}, ${extended}"fields": ${body}\n        }`
  }
}

function spaced(text: string): string {
  return SPACES.reduce((result, [rule, exact]) => result.replaceAll(rule, exact), text)
}
