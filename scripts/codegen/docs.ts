import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleContract, redocly } from './bundle.ts'
import type { Contract, PathOperation } from './contract.ts'
import { inFirstForms } from './first_form.ts'

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

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#8a4b1c"/><path d="M11 26V13C11 8 8 7 8 4M11 15H7M21 26V13c0-5 3-6 3-9M21 15h4" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`

/** Room for the names of operations: in the menu, and in headings on a phone. */
const STYLE = `
    @media (max-width: 600px) { h1, h2 { font-size: 1.4rem !important; overflow-wrap: anywhere } }
    @media (min-width: 1000px) { :root:root { --sidebar-width: 22rem; } }
  `

/** The policy, and what a browser shows of the page outside of it. */
const HEAD = [
  `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
  '<meta name="description" content="Every operation of a pronghorn node, with examples.">',
  `<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(ICON).toString('base64')}">`,
  `<style>${STYLE}</style>`,
].join('\n  ')

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
 * others), operations go by their names, each is shown once, and the
 * node is the one that serves the page.
 */
function forReaders(contract: Contract): Contract {
  const paths = Object.entries(contract.paths).map(([path, { get, post }]) => {
    return [path, { post: named(post, get !== undefined) }]
  })
  const servers = [{ url: '/', description: 'The node that serves this page.' }]
  return {
    ...inFirstForms(contract),
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
