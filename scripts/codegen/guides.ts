import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { pageHead } from './page_head.ts'

/** Where the node serves the index. */
export const GUIDES_PATH = '/docs/guides'

/** There is nothing to run. */
const POLICY = ["style-src 'unsafe-inline'", 'img-src data:']

const STYLE = `
    :root { color-scheme: light dark; --soft: color-mix(in srgb, currentcolor 8%, transparent); }
    body { font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }
    nav { display: flex; gap: 1.5rem; padding-bottom: .5rem; border-bottom: 1px solid var(--soft); }
    h1, h2, h3 { line-height: 1.25; margin: 2rem 0 1rem; }
    code { font: .875em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: .2em; padding: .1em .25em; overflow-wrap: anywhere; }
    figure { margin: 1rem 0; }
    figcaption { font: .8rem ui-monospace, monospace; opacity: .7; }
    pre { margin: 0; padding: .75rem 1rem; overflow-x: auto; background: var(--soft); border-radius: .4rem; }
    pre code { padding: 0; background: none; overflow-wrap: normal; }
    table { display: block; overflow-x: auto; border-collapse: collapse; }
    th, td { padding: .3rem .6rem; border: 1px solid var(--soft); text-align: left; vertical-align: top; }
  `

const HEAD = pageHead({
  policy: POLICY,
  description: 'Guides to a pronghorn node.',
  style: STYLE,
})

/** Where the node serves a document of docs/, by its file there. */
function pathOf(file: string): string {
  return file === 'README.md' ? GUIDES_PATH : `/docs/${file.replace(/\.md$/, '')}`
}

/** All documents of docs/ as HTML pages that need no network, by the paths where the node serves them. */
export function generateGuides(root: string): Map<string, string> {
  const folder = join(root, 'docs')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  const known = new Set(files)
  return new Map(
    files.sort().map((file) => {
      const markdown = readFileSync(join(folder, file), 'utf8')
      return [pathOf(file), page(markdown, (link) => resolved(file, link, known))]
    }),
  )
}

/** A link of a document as one between pages; throws for one to a file that is none of them. */
function resolved(file: string, link: string, known: ReadonlySet<string>): string {
  if (/^(https?:|#)/.test(link)) return link
  const [target = '', place] = link.split('#')
  const to = normalize(join(dirname(file), target))
  if (!known.has(to)) throw new Error(`docs/${file} links to ${link}, which is no page`)
  return place === undefined ? pathOf(to) : `${pathOf(to)}#${place}`
}

function page(markdown: string, resolve: (link: string) => string): string {
  const marked = new Marked({ renderer: rendererOf(resolve) })
  const body = marked.parse(markdown, { async: false })
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? ''
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  ${HEAD}
  <title>pronghorn: ${escape(title)}</title>
</head>
<body>
<nav><a href="${GUIDES_PATH}">Guides</a> <a href="/docs">HTTP interface</a></nav>
<main>
${body}</main>
</body>
</html>
`
}

/** Headings that can be linked to, links between pages, and blocks of code with the names of their files. */
function rendererOf(resolve: (link: string) => string) {
  return {
    heading(this: Rendering, { tokens, depth, text }: Tokens.Heading): string {
      const id = text
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .trim()
        .replace(/\s+/g, '-')
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link(this: Rendering, { href, tokens }: Tokens.Link): string {
      return `<a href="${escape(resolve(href))}">${this.parser.parseInline(tokens)}</a>`
    },
    code({ text, lang = '' }: Tokens.Code): string {
      const [, name] = lang.split(' ')
      const caption = name === undefined ? '' : `<figcaption>${escape(name)}</figcaption>`
      return `<figure>${caption}<pre><code>${escape(text)}\n</code></pre></figure>\n`
    },
  }
}

interface Rendering {
  parser: { parseInline: (tokens: Tokens.Generic[]) => string }
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
