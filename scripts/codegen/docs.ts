import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleContract, redocly } from './bundle.ts'
import type { Contract, PathOperation } from './contract.ts'
import { inFirstForms } from './first_form.ts'
import { GUIDES_PATH } from './guides.ts'
import { pageHead } from './page_head.ts'

/**
 * The page may run its own scripts and styles and ask for nothing else, so that a browser without a
 * network shows all of it, and one with a network tells nobody that it was read.
 */
const POLICY = [
  "script-src 'unsafe-inline' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
]

/** Room for the names of operations: in the menu, and in headings on a phone. */
const STYLE = `
    @media (max-width: 600px) { h1, h2 { font-size: 1.4rem !important; overflow-wrap: anywhere } }
    @media (min-width: 1000px) { :root:root { --sidebar-width: 22rem; } }
  `

const HEAD = pageHead({
  policy: POLICY,
  description: 'Every operation of a pronghorn node, with examples.',
  style: STYLE,
})

/** Pictures that Redoc asks its makers for. Nothing is shown in their place. */
const REMOTE_PICTURES = /https:\/\/cdn\.redoc(?:ly\.com|\.ly)\/[\w./-]*/g

/** The documentation of the contract as one HTML page that needs no network. */
export function generateDocs(root: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'docs-'))
  try {
    const source = join(directory, 'openapi.json')
    const file = join(directory, 'docs.html')
    writeFileSync(source, JSON.stringify(forReaders(bundleContract(root))))
    const title = ['--title', 'pronghorn: HTTP interface']
    redocly(root, ['build-docs', source, '--inlineBundle', '--output', file, ...title])
    const page = readFileSync(file, 'utf8')
      .replace(REMOTE_PICTURES, 'data:,')
      // It ends with one of those pictures.
      .replaceAll('API docs by', 'API docs by Redoc')
    const head = page.indexOf('<head>') + '<head>'.length
    return `${page.slice(0, head)}\n  ${HEAD}${page.slice(head)}`
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * The contract as the page tells it: requests in their first forms (its introduction tells of the
 * others), operations go by their names, each is shown once, the node is the one that serves the page,
 * and there are guides.
 */
function forReaders(contract: Contract): Contract {
  const paths = Object.entries(contract.paths).map(([path, { get, post }]) => {
    return [path, { post: named(post, get !== undefined) }]
  })
  const servers = [{ url: '/', description: 'The node that serves this page.' }]
  const guides = `What one does first is in the [guides](${GUIDES_PATH}).`
  const info = { ...contract.info, description: `${guides}\n\n${contract.info.description}` }
  return {
    ...inFirstForms(contract),
    info,
    servers,
    paths: Object.fromEntries(paths) as Contract['paths'],
  }
}

function named(post: PathOperation, by_get: boolean): PathOperation {
  const what = post.summary.replace(`${post.operationId}: `, '')
  const get = by_get ? 'GET asks for the same with an empty body.' : ''
  const heading = `**${what.charAt(0).toUpperCase()}${what.slice(1)}.** ${get}`
  return { ...post, summary: post.operationId, description: `${heading}\n\n${post.description}` }
}
