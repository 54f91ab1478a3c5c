/** `make sdk`: clients of the contract, in sdk/typescript and sdk/python. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contract } from '../codegen/contract.ts'
import { listOperations } from '../codegen/operations.ts'
import { clientDocument } from './document.ts'
import { generatePython, pythonToolsInstalled } from './python.ts'
import { generateTypescript } from './typescript.ts'

const root = join(import.meta.dirname, '../..')
export const TYPESCRIPT_CLIENT = join(root, 'sdk/typescript')
export const PYTHON_CLIENT = join(root, 'sdk/python')

/** The bundle in generated/. */
function bundle(): Contract {
  return JSON.parse(readFileSync(join(root, 'generated/openapi.json'), 'utf8')) as Contract
}

export async function makeTypescriptClient(): Promise<void> {
  const contract = bundle()
  const operations = listOperations(contract)
  await generateTypescript(clientDocument(contract), operations, TYPESCRIPT_CLIENT)
}

export function makePythonClient(): void {
  generatePython(clientDocument(bundle()), PYTHON_CLIENT)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await makeTypescriptClient()
  console.log('sdk/typescript')
  if (pythonToolsInstalled()) {
    makePythonClient()
    console.log('sdk/python')
  } else {
    console.log('sdk/python: skipped, because its generator is not installed (make python-clients)')
  }
}
