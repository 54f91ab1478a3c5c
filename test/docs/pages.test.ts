/** The pages of guides and other documents, as they are served. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { generateGuides } from '../../scripts/codegen/guides.ts'
import { Documents } from '../../src/server/documents.ts'
import { PACKAGE } from '../support/test_node.ts'

describe('pages of documents', () => {
  const pages = generateGuides(PACKAGE)

  it('there is one for each, and the index', () => {
    const guides = readdirSync(join(PACKAGE, 'docs/guides'))
    for (const guide of guides)
      expect([...pages.keys()]).include(`/docs/guides/${guide.slice(0, -3)}`)
    expect([...pages.keys()]).include.members(['/docs/guides', '/docs/operations'])
  })

  it('link to each other, to places that are there', () => {
    let links = 0
    for (const [path, page] of pages) {
      for (const [, link = ''] of page.matchAll(/href="([^"]*)"/g)) {
        if (/^(https?|data):/.test(link)) continue
        const [target = '', place] = link.split('#')
        const to = pages.get(target || path)
        if (target !== '/docs') expect(to, `${path}: ${link}`).not.equal(undefined)
        if (place !== undefined) expect(to, `${path}: ${link}`).include(`id="${place}"`)
        links += 1
      }
    }
    expect(links).greaterThan(2 * pages.size)
  })

  it('load nothing and run nothing', () => {
    for (const [path, page] of pages) {
      expect(page, path).include(
        `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`,
      )
      expect(page, path).not.match(/<(script|img|iframe|object|embed)\b/)
    }
  })

  it('name the files that a reader makes', () => {
    const page = pages.get('/docs/guides/send_a_transaction')!
    expect(page).match(/<figcaption>send\.mjs<\/figcaption><pre><code>import /)
  })

  it('are served from files, and nothing else of their folder is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pronghorn-pages-'))
    try {
      for (const [path, page] of [...pages, ['/docs/other.txt', ''] as const]) {
        const file = join(folder, path.endsWith('.txt') ? path : `${path}.html`)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, page)
      }
      const documents = new Documents(folder)
      for (const [path, page] of pages) {
        expect(documents.has(path), path).equal(true)
        const { type, content } = await documents.get(path)
        expect([type, content.toString()]).deep.equal(['text/html; charset=utf-8', page])
      }
      for (const path of ['/docs/', '/docs/other.txt', '/docs/../docs/guides', '/docs/guides.html'])
        expect(documents.has(path), path).equal(false)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('are read again when they could not be', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pronghorn-pages-'))
    try {
      const documents = new Documents(folder)
      const failure = await documents.get('/docs').catch((error: unknown) => error)
      expect(failure).instanceOf(Error)
      writeFileSync(join(folder, 'docs.html'), 'page')
      expect(String((await documents.get('/docs')).content)).equal('page')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
