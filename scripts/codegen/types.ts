import openapiTS, { astToString } from 'openapi-typescript'
import type { OpenAPI3 } from 'openapi-typescript'
import type { Contract } from './contract.ts'
import { HEADER } from './header.ts'

/** generated/api.ts: the types of every path, component and operation. */
export async function generateTypes(contract: Contract): Promise<string> {
  // The generator changes the document that it is given.
  const document = structuredClone(contract) as unknown as OpenAPI3
  // A field with a default may be absent: a handler gets the body as it was sent.
  const ast = await openapiTS(document, { defaultNonNullable: false })
  return HEADER + astToString(ast)
}
