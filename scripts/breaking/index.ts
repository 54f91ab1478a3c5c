/**
 * `make breaking`: compares the contract with the last one that was released and fails when it breaks
 * clients under a version that does not say so. `make release` keeps the contract as released.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { redocly } from '../codegen/bundle.ts'
import type { Contract } from '../codegen/contract.ts'
import { normalForm } from './normal_form.ts'

const root = join(import.meta.dirname, '../..')
const RELEASED = join(root, 'openapi/released')
const BUNDLE = join(root, 'generated/openapi.json')

/** What `redocly diff --format json` says, as far as it is read here. */
interface Report {
  infoVersions: { base: string; revision: string }
  changes: Change[]
}

interface Change {
  /** Where in the document that has all references in place. */
  path: string
  kind: 'added' | 'changed' | 'removed'
  impact: 'major' | 'minor' | 'patch'
  verdicts: { message: string }[]
}

export interface Comparison {
  /** Versions of the contract. */
  from: string
  to: string
  /** What breaks clients, a line each: where, and why. */
  breaking: string[]
}

/** Compares two bundles by their files. */
export function compareContracts(base: string, revision: string): Comparison {
  const contracts = [base, revision].map((file) => normalForm(readContract(file)))
  const folder = mkdtempSync(join(tmpdir(), 'breaking-'))
  try {
    const files = contracts.map((contract, i) => {
      const file = join(folder, `${i}.json`)
      writeFileSync(file, JSON.stringify(contract))
      return file
    })
    const args = ['diff', ...files, '--format', 'json', '--fail-on', 'none']
    const { infoVersions, changes } = JSON.parse(redocly(root, args)) as Report
    const breaking = changes
      .filter((change) => change.impact === 'major' || removesRequestField(change))
      .map(describe)
    return { from: infoVersions.base, to: infoVersions.revision, breaking }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readContract(file: string): Contract {
  return JSON.parse(readFileSync(file, 'utf8')) as Contract
}

/**
 * The tool lets these pass because a server may ignore what it does not know, as ours does; but a
 * request whose limit or bound is ignored gets another answer.
 */
function removesRequestField({ kind, path }: Change): boolean {
  return kind === 'removed' && /\/requestBody\/.*\/properties\/[^/]+$/.test(path)
}

function describe({ path, kind, verdicts }: Change): string {
  const where = path.slice(2).split('/').map(unescaped).join(' ')
  const why = verdicts.map(({ message }) => message).join(' ')
  return `${where}: ${why || kind}`
}

/** A part of a JSON pointer as it was. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Why the change of versions is wrong; undefined when it is right. Versions are semantic ones. */
export function wrongVersion({ from, to, breaking }: Comparison): string | undefined {
  if (order(from, to) > 0) return `the version goes back from ${from} to ${to}`
  if (breaking.length === 0) return undefined
  const [major, minor] = numbers(from)
  // Before 1.0 the second number takes the place of the first.
  const least = major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`
  if (order(least, to) <= 0) return undefined
  return `clients of ${from} break: the version must be ${least} at least, not ${to}`
}

function numbers(version: string): [number, number, number] {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)
  if (parts === null) throw new Error(`no version: ${version}`)
  return [Number(parts[1]), Number(parts[2]), Number(parts[3])]
}

function order(a: string, b: string): number {
  const other = numbers(b)
  return (
    numbers(a)
      .map((number, i) => number - other[i]!)
      .find((difference) => difference !== 0) ?? 0
  )
}

/** The file of the highest version in a folder of `<version>.json`. */
export function lastReleased(folder: string): string {
  const versions = readdirSync(folder).map((name) => name.replace(/\.json$/, ''))
  const last = versions.sort(order).at(-1)
  if (last === undefined) throw new Error(`no released contract in ${folder}`)
  return join(folder, `${last}.json`)
}

function compare(): void {
  const base = lastReleased(RELEASED)
  const comparison = compareContracts(base, BUNDLE)
  for (const line of comparison.breaking) console.log(line)
  const wrong = wrongVersion(comparison)
  if (wrong !== undefined) {
    console.error(`openapi/openapi.yaml: ${wrong}`)
    process.exitCode = 1
  } else console.log(`${comparison.breaking.length} breaking changes since ${comparison.from}`)
}

/** A released contract never changes. */
function release(): void {
  const bundle = readFileSync(BUNDLE, 'utf8')
  const { version } = (JSON.parse(bundle) as Contract).info
  const file = join(RELEASED, `${version}.json`)
  if (existsSync(file) && readFileSync(file, 'utf8') !== bundle) {
    console.error(`${version} is released already: openapi/openapi.yaml needs another version`)
    process.exitCode = 1
    return
  }
  mkdirSync(RELEASED, { recursive: true })
  writeFileSync(file, bundle)
  console.log(relative(root, file))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--release')) release()
  else compare()
}
