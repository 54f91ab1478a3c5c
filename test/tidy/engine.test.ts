import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT, sourceFiles } from './source_files.ts'

/** What would make two nodes disagree, or the same node at two times. */
const BANNED = [
  /\bDate\.now\b/,
  /\bnew Date\(\s*\)/,
  /\bperformance\.now\b/,
  /\bprocess\.hrtime\b/,
  /\bMath\.random\b/,
  /\brandomBytes\b/,
  /\bprocess\.env\b/,
  /\bfetch\(/,
  /\bsetTimeout\b/,
  /\bsetInterval\b/,
]

/** Rooms whose job is the clock, or that only answer questions. */
const WITH_A_CLOCK = /^src\/engine\/(producer\/|index\.ts|crypto\/stopwatch\.ts)/

describe('tidy: the engine is deterministic', () => {
  for (const path of sourceFiles(['src/engine']).filter((name) => !WITH_A_CLOCK.test(name))) {
    it(`${path} has no clock and no randomness`, () => {
      const code = withoutComments(readFileSync(join(ROOT, path), 'utf8'))
      for (const pattern of BANNED) expect(code).not.match(pattern)
    })
  }
})

/** Files that need a mark of the compiler, and why. */
const MARKS: Readonly<Record<string, string>> = {
  'scripts/codegen/validators.ts': 'writes it at the head of generated code',
  'test/contract/handler_types.test.ts': 'shows with it what must not compile',
}

describe('tidy: code is finished', () => {
  for (const path of sourceFiles(['src', 'test', 'scripts', 'bench', 'examples'])) {
    if (path === 'test/tidy/engine.test.ts') continue
    it(`${path} silences nothing and leaves no marks`, () => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      if (!MARKS[path]) expect(text).not.match(/@ts-ignore|@ts-expect-error|@ts-nocheck/)
      expect(text).not.match(/\b(TODO|FIXME|XXX)\b/)
      expect(text).not.match(/\b(it|describe)\.only\(/)
      expect(text).not.match(/catch\s*(\([^)]*\))?\s*\{\s*\}/)
    })
  }
})

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
}
