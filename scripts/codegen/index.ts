/**
 * Rebuilds generated/ from openapi/.
 *
 *     node scripts/codegen/index.mjs            write what changed
 *     node scripts/codegen/index.mjs --check    write nothing, fail when a file is stale
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleContract } from './bundle.ts'
import { listOperations } from './operations.ts'
import { generateRoutes } from './routes.ts'
import { generateTypes } from './types.ts'
import { generateBodyValidators, generateResponseValidators } from './validators.ts'

const root = join(import.meta.dirname, '../..')

/** Every generated file by its name in generated/, with its content. */
export async function generate(): Promise<Map<string, string>> {
  const contract = bundleContract(root)
  const operations = listOperations(contract)
  return new Map([
    ['openapi.json', JSON.stringify(contract, null, 2) + '\n'],
    ['api.ts', await generateTypes(contract)],
    ['routes.ts', generateRoutes(operations)],
    ['validators.ts', generateBodyValidators(contract, operations)],
    ['response_validators.ts', generateResponseValidators(contract, operations)],
  ])
}

/** The names of the files in generated/ whose content is not the given one. */
export function staleFiles(files: Map<string, string>): string[] {
  return [...files].flatMap(([name, content]) => {
    const path = join(root, 'generated', name)
    return existsSync(path) && readFileSync(path, 'utf8') === content ? [] : [name]
  })
}

async function run(check: boolean): Promise<void> {
  const files = await generate()
  const stale = staleFiles(files)
  if (check) {
    if (stale.length === 0) return
    console.error(`generated/ is stale, run make codegen: ${stale.join(', ')}`)
    process.exitCode = 1
    return
  }
  mkdirSync(join(root, 'generated'), { recursive: true })
  for (const name of stale) {
    writeFileSync(join(root, 'generated', name), files.get(name) ?? '')
    console.log(`generated/${name}`)
  }
}

if (process.argv[1]?.includes('codegen')) await run(process.argv.includes('--check'))
