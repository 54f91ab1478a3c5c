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

  /** The document at a path; read from disk once. */
  async find(path: string): Promise<Document | undefined> {
    const known = FILES[path]
    if (!known) return undefined
    let document = this.loaded.get(path)
    if (!document) {
      document = readFile(join(this.folder, known.file)).then((content) => ({
        type: known.type,
        content,
      }))
      this.loaded.set(path, document)
    }
    return document
  }
}
