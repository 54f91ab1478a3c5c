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
const WITH_A_CLOCK =
  /^src\/engine\/((engine|clock|warm_up\/background_steps)\.ts|crypto\/thread_wait\.ts)/

/** What it imports is the module of another thread. */
const STARTS_THREADS = 'src/engine/start_thread.ts'

describe('tidy: the engine is deterministic', () => {
  // Tests load sources by require, and import() would make each module a second time: then an error is not an
  // instance of the class that is caught.
  it('no file imports a module while it runs', () => {
    const paths = sourceFiles(['src/engine']).filter((path) => path !== STARTS_THREADS)
    expect(found(paths, [/\bimport\(/], withoutComments)).deep.equal([])
  })

  it('no file reads a clock, randomness or the environment', () => {
    const paths = sourceFiles(['src/engine']).filter((path) => !WITH_A_CLOCK.test(path))
    expect(found(paths, BANNED, withoutComments)).deep.equal([])
  })
})

/** Files that need a mark of the compiler, and why. */
const MARKS: Readonly<Record<string, string>> = {
  'scripts/codegen/validators.ts': 'writes it at the head of generated code',
  'test/contract/handler_types.test.ts': 'shows with it what must not compile',
  'test/in_process/library.test.ts': 'shows with it what must not compile',
}

/** What silences the compiler, waits to be finished, or narrows a run of the tests. */
const SILENCED = [/@ts-ignore|@ts-expect-error|@ts-nocheck/]
const UNFINISHED = [/\b(TODO|FIXME|XXX)\b/, /catch\s*(\([^)]*\))?\s*\{\s*\}/]
const NARROWED = [/\b(it|describe)\.only\(/]

describe('tidy: code is finished', () => {
  const paths = sourceFiles(['src', 'test', 'scripts', 'bench', 'examples']).filter(
    (path) => path !== 'test/tidy/engine.test.ts',
  )

  it('no file silences the compiler', () => {
    const unmarked = paths.filter((path) => MARKS[path] === undefined)
    expect(found(unmarked, SILENCED)).deep.equal([])
  })

  it('no file has a mark of unfinished work or an empty catch', () => {
    expect(found(paths, UNFINISHED)).deep.equal([])
  })

  it('no file narrows a run of the tests', () => {
    expect(found(paths, NARROWED)).deep.equal([])
  })
})

/** Each match of one of the patterns in one of the files, as `path:line: text`. */
function found(
  paths: readonly string[],
  patterns: readonly RegExp[],
  prepare = (text: string): string => text,
): string[] {
  expect(paths).not.empty
  return paths.flatMap((path) => {
    const text = prepare(readFileSync(join(ROOT, path), 'utf8'))
    return patterns.flatMap((pattern) =>
      [...text.matchAll(new RegExp(pattern, 'g'))].map(
        ({ 0: match, index }) => `${path}:${lineOf(text, index)}: ${match}`,
      ),
    )
  })
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Comments become blank; the lines stay where they are. */
function withoutComments(code: string): string {
  return code
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/(^|\s)\/\/.*$/gm, '$1')
}
