import { dirname } from 'node:path'
import { expect } from 'chai'
import { sourceFiles } from './source_files.ts'

/** A reader takes in a folder of this many files at a glance. */
const MAX_FILES = 40

describe('tidy: folders', () => {
  it(`no folder has more than ${MAX_FILES} files`, () => {
    const counts = new Map<string, number>()
    for (const path of sourceFiles(['src', 'test'], /./)) {
      const folder = dirname(path)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    expect(counts).not.empty
    const offenders = [...counts].filter(([, count]) => count > MAX_FILES)
    expect(offenders).deep.equal([])
  })
})
