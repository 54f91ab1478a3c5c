import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Contract } from './contract.ts'

/** Runs the Redocly command line offline; answers what it printed. Throws with its output when it fails. */
export function redocly(root: string, args: readonly string[]): string {
  const require = createRequire(import.meta.url)
  const cli = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return execFileSync(process.execPath, [cli, ...args, '--config', 'openapi/redocly.yaml'], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The contract of openapi/ as one document whose references all point into its own components. */
export function bundleContract(root: string): Contract {
  const directory = mkdtempSync(join(tmpdir(), 'codegen-'))
  try {
    const file = join(directory, 'openapi.json')
    redocly(root, ['bundle', 'openapi/openapi.yaml', '--output', file])
    const contract = JSON.parse(readFileSync(file, 'utf8')) as Contract
    return { 'x-generated': 'from openapi/ by make codegen, do not edit', ...contract }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
