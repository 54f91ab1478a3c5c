import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const ROOT = join(import.meta.dirname, '../..')

describe("tidy: the reference's tests", () => {
  const text = readFileSync(join(ROOT, 'docs/reference_tests.md'), 'utf8')
  const places = new Set(text.match(/test\/[\w/]+\.test\.ts/g))

  it('each has a place here', () => {
    expect(places.size).greaterThan(20)
    for (const place of places) expect(existsSync(join(ROOT, place)), place).equal(true)
    const rows = text.split('\n').filter((line) => /^\| `/.test(line))
    for (const row of rows) expect(row.split('|').at(-2), row).match(/test\/[\w/]+\.test\.ts/)
  })
})
