// Compiles src/ and generated/ to dist/. Runs at `npm install` in a clone, so it must need nothing else.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
let tsc
try {
  tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
} catch {
  // An installed package carries dist/ and has no compiler.
  if (!existsSync('dist/src/main.js'))
    throw new Error('dist/ is missing and TypeScript is not installed')
  process.exit(0)
}
// `npx` in a clone prepares the package once more: what is fresh is not built again.
if (process.argv.includes('--if-needed') && isFresh()) process.exit(0)
rmSync('dist', { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
// The documentation pages that the node serves; they need the development packages, as the compiler does.
execFileSync(process.execPath, ['--import', 'tsx', 'scripts/codegen/index.ts', '--docs'], {
  stdio: 'inherit',
})

/** Whether everything that is built is newer than everything that it is built from. */
function isFresh() {
  const built = ['dist/src/main.js', 'generated/docs/guides.html', 'generated/docs.html']
  if (!built.every((file) => existsSync(file))) return false
  const oldest = Math.min(...built.map((file) => statSync(file).mtimeMs))
  const sources = ['src', 'openapi', 'scripts', 'docs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  )
  const others = ['package.json', 'tsconfig.json', 'tsconfig.build.json']
  return [...sources, ...others].every((file) => statSync(file).mtimeMs < oldest)
}
