/** What breaks clients is found, what does not is let pass, and a breaking version says so. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { compareContracts, lastReleased, wrongVersion } from '../../scripts/breaking/index.ts'
import type { Comparison } from '../../scripts/breaking/index.ts'
import type { Contract } from '../../scripts/codegen/contract.ts'
import { BREAKING, COMPONENTS, PASSING } from './breaking_cases.ts'
import type { Change } from './breaking_cases.ts'
import { PACKAGE } from '../support/test_node.ts'

/** A contract with one path for each change, as it was or as it becomes. */
function contract(changes: Record<string, Change>, side: 'before' | 'after'): object {
  const paths = Object.entries(changes).flatMap(([name, change]) => {
    const operation = change[side]
    return operation ? [[`/${name}`, { post: operation }]] : []
  })
  return {
    openapi: '3.0.3',
    info: { title: 'test', version: '1.0.0' },
    paths: Object.fromEntries(paths) as object,
    components: { schemas: COMPONENTS },
  }
}

describe('breaking changes of the contract', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'breaking-'))
  })
  after(() => {
    rmSync(folder, { recursive: true })
  })

  function compare(base: object, revision: object): Comparison {
    const files = ['base.json', 'revision.json'].map((name) => join(folder, name))
    writeFileSync(files[0]!, JSON.stringify(base))
    writeFileSync(files[1]!, JSON.stringify(revision))
    return compareContracts(files[0]!, files[1]!)
  }

  /** What is found at the path of a change. */
  function foundAt(comparison: Comparison, name: string): string[] {
    return comparison.breaking.filter((line) => new RegExp(`^paths /${name}[ :]`).test(line))
  }

  describe('are found', () => {
    let found: Comparison
    before(() => {
      found = compare(contract(BREAKING, 'before'), contract(BREAKING, 'after'))
    })
    for (const name of Object.keys(BREAKING)) {
      it(name.replaceAll('_', ' '), () => expect(foundAt(found, name)).lengthOf.at.least(1))
    }
  })

  describe('are not', () => {
    let found: Comparison
    before(() => {
      found = compare(contract(PASSING, 'before'), contract(PASSING, 'after'))
    })
    for (const name of Object.keys(PASSING)) {
      it(name.replaceAll('_', ' '), () => expect(foundAt(found, name)).deep.equal([]))
    }
  })

  it('are found in the contract itself, through its references', () => {
    const released = readFileSync(lastReleased(join(PACKAGE, 'openapi/released')), 'utf8')
    const base = JSON.parse(released) as Contract
    const revision = JSON.parse(released) as Contract
    expect(compare(base, revision).breaking).deep.equal([])

    delete revision.paths['/v1/chain/get_abi']
    const trace = revision.components.schemas['ActionTrace']!
    delete trace.properties!['receiver']
    trace.required = trace.required!.filter((name) => name !== 'receiver')
    const lines = compare(base, revision).breaking.join('\n')
    expect(lines)
      .match(/^paths \/v1\/chain\/get_abi: /m)
      .match(/ActionTrace|`?receiver`?/)
  })

  it('require a version that announces them', () => {
    const version = (from: string, to: string, ...breaking: string[]) =>
      wrongVersion({ from, to, breaking })
    for (const to of ['1.2.3', '1.3.0', '1.2.4', '2.0.0'])
      expect(version('1.2.3', to)).equal(undefined)
    for (const to of ['1.2.3', '1.2.4', '1.10.0'])
      expect(version('1.2.3', to, 'a')).match(/must be 2\.0\.0 at least/)
    for (const to of ['2.0.0', '2.0.1', '10.0.0'])
      expect(version('1.2.3', to, 'a')).equal(undefined)
    for (const to of ['0.9.3', '0.9.10'])
      expect(version('0.9.3', to, 'a')).match(/must be 0\.10\.0 at least/)
    for (const to of ['0.10.0', '1.0.0']) expect(version('0.9.3', to, 'a')).equal(undefined)
    expect(version('1.10.0', '1.9.0')).match(/goes back/)
    expect(() => version('1.0', '1.1.0')).throw('no version: 1.0')
  })

  it('are looked for since the highest version', () => {
    const released = mkdtempSync(join(folder, 'released-'))
    expect(() => lastReleased(released)).throw('no released contract')
    for (const version of ['1.9.0', '1.10.0', '0.30.0'])
      writeFileSync(join(released, `${version}.json`), '{}')
    expect(lastReleased(released)).equal(join(released, '1.10.0.json'))
  })
})
