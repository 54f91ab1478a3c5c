import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Contract } from '../codegen/contract.ts'

/** Where `make python-clients` installs the generator and what its clients need. */
export const PYTHON_TOOLS = join(import.meta.dirname, '../../.venv/sdk/bin')

const CONFIG = {
  project_name_override: 'pronghorn-client',
  package_name_override: 'pronghorn_client',
  // The generator mixes up a class and a field of it with the same name in snake case.
  class_overrides: {
    Error: { class_name: 'Failure', module_name: 'failure' },
    ProtocolFeaturesToActivate: {
      class_name: 'FeaturesToActivate',
      module_name: 'features_to_activate',
    },
  },
}

/** Whether the generator is installed. */
export function pythonToolsInstalled(): boolean {
  return existsSync(join(PYTHON_TOOLS, 'openapi-python-client'))
}

/**
 * Writes the Python client to `folder`, by openapi-python-client.
 *
 * @throws Error with what the generator says; a warning is an error
 */
export function generatePython(contract: Contract, folder: string): void {
  const directory = mkdtempSync(join(tmpdir(), 'sdk-'))
  try {
    const document = join(directory, 'openapi.json')
    const config = join(directory, 'config.json')
    writeFileSync(document, JSON.stringify(contract))
    writeFileSync(config, JSON.stringify(CONFIG))
    rmSync(folder, { recursive: true, force: true })
    const args = ['generate', '--path', document, '--config', config, '--output-path', folder]
    // It formats with ruff, which stands beside it.
    const env = { ...process.env, PATH: [PYTHON_TOOLS, process.env['PATH']].join(delimiter) }
    const generator = join(PYTHON_TOOLS, 'openapi-python-client')
    execFileSync(generator, [...args, '--fail-on-warning'], { env, encoding: 'utf8' })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
