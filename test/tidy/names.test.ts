import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { ROOT, sourceFiles } from './source_files.ts'

/** Names of `<folder>/*<extension>` without the extension, sorted. */
function names(folder: string, extension: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(extension))
    .map((name) => basename(name, extension))
    .sort()
}

describe('tidy: names', () => {
  for (const group of readdirSync(join(ROOT, 'openapi/paths'))) {
    it(`${group}: each operation has one name in the contract and in the handlers`, () => {
      const contract = names(`openapi/paths/${group}`, '.yaml')
      expect(contract).not.empty
      expect(names(`src/handlers/${group}`, '.ts')).deep.equal(contract)
    })
  }

  for (const kind of ['schemas', 'responses', 'examples']) {
    it(`${kind}: every component's file has the component's name and is used`, () => {
      const everything = sourceFiles(['openapi'], /\.yaml$/)
        .map((path) => readFileSync(join(ROOT, path), 'utf8'))
        .join('\n')
      for (const name of names(`openapi/components/${kind}`, '.yaml')) {
        expect(everything, name).match(new RegExp(`\\$ref: ['"]?[^'"\\n]*\\b${name}\\.yaml`))
      }
    })
  }
})
