import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A document with its content type. */
export interface Document {
  type: string
  content: Buffer
  /** Whether it is a page that names {@link SHOWN_ADDRESS}. */
  names_address: boolean
}

/** The address of a node in guides and examples: that of a node without options. */
export const SHOWN_ADDRESS = '127.0.0.1:8888'

/** Where a browser that asks for `/` is sent. */
export const FIRST_PAGE = '/docs'

interface Source {
  file: string
  type: string
}

const HTML = 'text/html; charset=utf-8'
const CONTRACT = { file: 'openapi.json', type: 'application/json' }

/**
 * The contract, its documentation page and the guides, from files of the package: the page at
 * `/docs/guides/replay` is `docs/guides/replay.html`.
 */
export class Documents {
  private readonly folder: string
  private readonly sources: ReadonlyMap<string, Source>
  private readonly loaded = new Map<string, Promise<Document>>()

  /** @param folder the package's `generated` */
  constructor(folder: string) {
    this.folder = folder
    const pages = ['docs.html', ...guidesIn(folder)]
    this.sources = new Map([
      ['/openapi.json', CONTRACT],
      ...pages.map((file): [string, Source] => [
        `/${file.replace(/\.html$/, '')}`,
        { file, type: HTML },
      ]),
    ])
  }

  /** Whether there is a document at a path. */
  has(path: string): boolean {
    return this.sources.has(path)
  }

  /** The document at one of its paths; read from disk once. */
  get(path: string): Promise<Document> {
    let document = this.loaded.get(path)
    if (!document) {
      const { file, type } = this.sources.get(path)!
      document = readFile(join(this.folder, file)).then((content) => ({
        type,
        content,
        names_address: type === HTML && content.includes(SHOWN_ADDRESS),
      }))
      this.loaded.set(path, document)
      // A file that cannot be read now, for example because too many files are open, may be
      // readable later.
      document.catch(() => this.loaded.delete(path))
    }
    return document
  }
}

/** Pages below `docs/`; empty if they have not been built. */
function guidesIn(folder: string): string[] {
  const docs = join(folder, 'docs')
  if (!existsSync(docs)) return []
  const names = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.html')).map((name) => `docs/${name}`)
}
