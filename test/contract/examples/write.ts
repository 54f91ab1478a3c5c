/**
 * Writes the examples of the contract that are not what nodes answer: `make examples`. Requests that
 * depend on the chain (ids, signatures, packed data) are written too; all others are by hand.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { root } from '../support.ts'
import { settled, shownValue } from './shown.ts'
import { tell } from './tell.ts'

/** What YAML reads as this very text without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][\w./+-]*(?: [\w./+,()-]+)*$/i

function yaml(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0) {
    const items = value.map((item) => `${indent}- ${yaml(item, `${indent}  `).trimStart()}`)
    return `\n${items.join('\n')}`
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value)
    if (entries.length > 0) {
      return entries.map(([key, v]) => `\n${indent}${key}: ${yaml(v, `${indent}  `)}`).join('')
    }
  }
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value)
}

const story = await tell()
const written = new Set<string>()
const files: string[] = []
for (const { ref, value } of [...story.requests, ...story.answers]) {
  if (written.has(ref)) continue
  written.add(ref)
  if (isDeepStrictEqual(settled(ref, value), settled(ref, shownValue(ref)))) continue
  const file = join(root, 'openapi', `${ref.slice(2)}.yaml`)
  const before = readFileSync(file, 'utf8')
  const head = before.slice(0, before.search(/^value:/m))
  writeFileSync(file, `${head}value: ${yaml(value, '  ')}\n`)
  files.push(file)
  console.log(file.slice(root.length + 1))
}
if (files.length > 0) execFileSync('npx', ['oxfmt', ...files], { cwd: root, stdio: 'inherit' })
