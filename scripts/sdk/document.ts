import type { Contract, Schema } from '../codegen/contract.ts'
import { inFirstForms } from '../codegen/first_form.ts'

/** Bodies that may come in an envelope or bare: the bare form, which is the shorter. */
const BARE_BODIES = {
  GetActivatedProtocolFeaturesRequest: 'ActivatedProtocolFeaturesParams',
  GetSupportedProtocolFeaturesRequest: 'SupportedProtocolFeaturesParams',
  ScheduleProtocolFeatureActivationsRequest: 'ProtocolFeaturesToActivate',
  UpdateRuntimeOptionsRequest: 'RuntimeOptionsUpdate',
}

/**
 * The contract as a client needs it: each operation once, by POST, and each request in one of the
 * forms that the node takes. Answers are those of the whole contract.
 */
export function clientDocument(contract: Contract): Contract {
  const paths = Object.entries(contract.paths).map(([path, { post }]) => [path, { post }])
  const simple = inFirstForms(contract)
  const schemas = { ...simple.components.schemas }
  for (const [name, bare] of Object.entries(BARE_BODIES)) {
    schemas[name] = schemas[bare]!
    delete schemas[`Wrapped${bare}`]
  }
  schemas['Compression'] = namedCompression(contract)
  return {
    ...simple,
    paths: Object.fromEntries(paths) as Contract['paths'],
    components: { ...simple.components, schemas },
  }
}

/** Compression by name, which says more than a number or a boolean. */
function namedCompression({ components }: Contract): Schema {
  const { oneOf, ...rest } = components.schemas['Compression']!
  const named = oneOf?.find(({ type }) => type === 'string')
  if (named === undefined) throw new Error('Compression has no names')
  return { ...rest, ...named }
}
