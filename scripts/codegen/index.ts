/**
 * Rebuilds generated/ from openapi/.
 *
 *     node --import tsx scripts/codegen/index.ts            write what changed
 *     node --import tsx scripts/codegen/index.ts --check    write nothing, fail when a file is stale
 *     node --import tsx scripts/codegen/index.ts --docs     write the documentation page alone
 *
 * The page (docs.html) is not committed because it holds the whole of Redoc: the build of the package
 * makes it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleContract } from './bundle.ts'
import { generateDocs } from './docs.ts'
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

function write(name: string, content: string): void {
  mkdirSync(join(root, 'generated'), { recursive: true })
  writeFileSync(join(root, 'generated', name), content)
  console.log(`generated/${name}`)
}

async function run(options: readonly string[]): Promise<void> {
  if (options.includes('--docs')) return write('docs.html', generateDocs(root))
  const files = await generate()
  const stale = staleFiles(files)
  if (!options.includes('--check')) {
    for (const name of stale) write(name, files.get(name) ?? '')
  } else if (stale.length > 0) {
    console.error(`generated/ is stale, run make codegen: ${stale.join(', ')}`)
    process.exitCode = 1
  }
}

if (process.argv[1] === import.meta.filename) await run(process.argv.slice(2))
