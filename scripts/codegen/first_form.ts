import { resolveRef } from './contract.ts'
import type { Contract, Schema } from './contract.ts'

/** What requests take in several forms, of which the first is the one to write. */
const SEVERAL_FORMS = [
  ...['Name', 'Text', 'OptionalText', 'OptionalFlag', 'OptionalInteger'],
  ...['WholeNumber', 'OptionalWholeNumber', 'Limit', 'OptionalLimit'],
]

/** The contract for those who write requests: of what has several forms it tells the first alone. */
export function inFirstForms(contract: Contract): Contract {
  const { components } = contract
  const simple = SEVERAL_FORMS.map((name) => [
    name,
    firstForm(contract, components.schemas[name]!),
  ]) as [string, Schema][]
  const schemas = { ...components.schemas, ...Object.fromEntries(simple) }
  return { ...contract, components: { ...components, schemas } }
}

function firstForm(contract: Contract, { oneOf, anyOf, ...rest }: Schema): Schema {
  const [first] = oneOf ?? anyOf!
  return { ...rest, ...resolveRef(contract, first!) }
}
