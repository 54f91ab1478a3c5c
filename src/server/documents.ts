import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Document {
  type: string
  content: Buffer
}

const FILES: Readonly<Record<string, { file: string; type: string }>> = {
  '/openapi.json': { file: 'openapi.json', type: 'application/json' },
  '/docs': { file: 'docs.html', type: 'text/html; charset=utf-8' },
}

/** The contract and its documentation page, from files of the package. */
export class Documents {
  private readonly folder: string
  private readonly loaded = new Map<string, Promise<Document>>()

  /** @param folder the package's `generated` */
  constructor(folder: string) {
    this.folder = folder
  }

  has(path: string): boolean {
    return Object.hasOwn(FILES, path)
  }

  /** The document at one of its paths; read from disk once. */
  get(path: string): Promise<Document> {
    let document = this.loaded.get(path)
    if (!document) {
      const { file, type } = FILES[path]!
      document = readFile(join(this.folder, file)).then((content) => ({ type, content }))
      this.loaded.set(path, document)
    }
    return document
  }
}
