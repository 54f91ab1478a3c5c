// Compiles src/ and generated/ to dist/. Runs at `npm install` in a clone, so it must need nothing else.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
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
rmSync('dist', { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
// The documentation page that the node serves; it needs the development packages, as the compiler does.
execFileSync(process.execPath, ['--import', 'tsx', 'scripts/codegen/index.ts', '--docs'], {
  stdio: 'inherit',
})
linkProgram()

// `npx pronghorn` in a clone finds the program at once: npm links the programs of dependencies alone.
// Where there are no links (Windows), npx builds a copy of the package first, which takes longer.
function linkProgram() {
  if (process.platform === 'win32') return
  mkdirSync('node_modules/.bin', { recursive: true })
  rmSync('node_modules/.bin/pronghorn', { force: true })
  symlinkSync('../../bin/pronghorn.js', 'node_modules/.bin/pronghorn')
}
