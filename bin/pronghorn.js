#!/usr/bin/env node
// The version is looked at before anything is imported: an older Node.js may not even read the program.
const { node: version } = process.versions
const [major, minor] = version.split('.').map(Number)
if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) {
  import('../dist/program/main.js').then(({ main }) => main(process.argv.slice(2)))
} else {
  const needed = 'version 20.19, 22.12 or later is needed'
  process.stderr.write(`pronghorn: Node.js ${version} cannot run it: ${needed}\n`)
  process.exitCode = 1
}
