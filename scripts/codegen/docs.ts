import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { redocly } from './bundle.ts'

/**
 * The page may run its own scripts and styles and ask for nothing else, so that a browser without a
 * network shows all of it, and one with a network tells nobody that it was read.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
].join('; ')

/** Pictures that Redoc asks its makers for. Nothing is shown in their place. */
const REMOTE_PICTURES = /https:\/\/cdn\.redoc(?:ly\.com|\.ly)\/[\w./-]*/g

/** The documentation of the contract as one HTML page that needs no network. */
export function generateDocs(root: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'docs-'))
  try {
    const file = join(directory, 'docs.html')
    redocly(root, ['build-docs', 'openapi/openapi.yaml', '--inlineBundle', '--output', file])
    const page = readFileSync(file, 'utf8').replace(REMOTE_PICTURES, 'data:,')
    const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`
    const head = page.indexOf('<head>') + '<head>'.length
    return `${page.slice(0, head)}\n  ${policy}${page.slice(head)}`
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
