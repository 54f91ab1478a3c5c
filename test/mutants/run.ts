/**
 * `make mutants`: changes the engine's rules one at a time, in a copy of the repository, and reports
 * which changes the tests notice.
 *
 *     node --import tsx test/mutants/run.ts [count] [seed]
 *
 * ROOMS and TESTS choose what is changed and what has to notice it, each as paths with spaces between
 * them. A seed means the same changes as long as the sources are the same.
 */
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Random } from '../fuzz/random.ts'
import { sourceFiles } from '../tidy/source_files.ts'
import { PACKAGE } from '../support/test_node.ts'
import { mutated, mutationsOf } from './mutations.ts'

const [count = 50, seed = 1] = process.argv.slice(2).map(Number)
const words = (text: string) => text.split(' ')
const ROOMS = words(
  process.env['ROOMS'] ?? 'src/engine/chain src/engine/vm src/engine/state src/engine/protocol',
)
/** The quickest first: most changes are noticed by the tests of their own room, or by what runs contracts. */
const TESTS = process.env['TESTS']
  ? [words(process.env['TESTS'])]
  : [
      ['ROOM'],
      [
        'test/engine/chain/{rules,headers,forks,execution,blocks,startup}/**/*.test.ts',
        'test/engine/{vm,state,protocol}/**/*.test.ts',
      ],
      ['test/engine/**/*.test.ts', 'test/replay/**/*.test.ts', 'test/fuzz/*.test.ts'],
      ['test/{contract,server}/**/*.test.ts'],
      ['test/{crash,node,net,in_process}/**/*.test.ts'],
    ]
/** A change that makes the tests this slow has been noticed. */
const LIMIT_MS = 30 * 60_000

const copy = mkdtempSync(join(tmpdir(), 'pronghorn-mutants-'))
try {
  for (const file of sourceFiles(['.'], /./)) cpSync(join(PACKAGE, file), join(copy, file))
  symlinkSync(join(PACKAGE, 'node_modules'), join(copy, 'node_modules'))
  if (!(await passes(ROOMS[0]!))) throw new Error('the tests fail without any change')
  let noticed = 0
  const random = new Random(seed)
  const files = sourceFiles(ROOMS)
  for (let tried = 0; tried < count;) {
    const path = random.pick(files)
    const source = readFileSync(join(copy, path), 'utf8')
    const mutations = mutationsOf(source)
    if (mutations.length === 0) continue
    tried++
    const mutation = random.pick(mutations)
    writeFileSync(join(copy, path), mutated(source, mutation))
    const survived = await passes(dirname(path))
    writeFileSync(join(copy, path), source)
    if (!survived) noticed++
    const verdict = survived ? 'NOT NOTICED' : 'noticed'
    console.log(`${verdict}: ${path}:${mutation.line}: ${mutation.text}`)
  }
  console.log(`${noticed} of ${count} changes are noticed (seed ${seed})`)
} finally {
  rmSync(copy, { recursive: true })
}

/** Runs the tests in the copy up to the first failure; those of a folder of sources first. */
async function passes(folder: string): Promise<boolean> {
  for (const stage of TESTS) {
    const patterns = stage.map((pattern) => (pattern === 'ROOM' ? testsOf(folder) : pattern))
    if (!(await run(patterns))) return false
  }
  return true
}

/** The tests of a folder of sources: they are in the same place below `test`, or in a folder around it. */
function testsOf(folder: string): string {
  let tests = join('test', relative('src', folder))
  while (!existsSync(join(copy, tests))) tests = dirname(tests)
  return `${tests}/**/*.test.ts`
}

function run(patterns: readonly string[]): Promise<boolean> {
  const argv = [
    'node_modules/mocha/bin/mocha.js',
    '--bail',
    '--exit',
    '--reporter=min',
    ...patterns,
  ]
  const options = { cwd: copy, stdio: 'ignore', timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const
  const child = spawn(process.execPath, argv, options)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0))
  })
}
