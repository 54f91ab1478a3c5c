/**
 * Rebuilds generated/ from openapi/.
 *
 *     node --import tsx scripts/codegen/index.ts            write what changed
 *     node --import tsx scripts/codegen/index.ts --check    write nothing, fail when a file is stale
 *     node --import tsx scripts/codegen/index.ts --docs     write the documentation pages alone
 *
 * The pages (docs.html, docs/) are not committed because the first holds the whole of Redoc: the build
 * of the package makes them.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleContract } from './bundle.ts'
import { generateDocs } from './docs.ts'
import { generateGuides } from './guides.ts'
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
  const file = join(root, 'generated', name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  console.log(`generated/${name}`)
}

function writeDocs(): void {
  rmSync(join(root, 'generated/docs'), { recursive: true, force: true })
  for (const [path, page] of generateGuides(root)) write(`${path.slice(1)}.html`, page)
  write('docs.html', generateDocs(root))
}

async function run(options: readonly string[]): Promise<void> {
  if (options.includes('--docs')) return writeDocs()
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
