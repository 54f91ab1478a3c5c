// Measures one code in a fresh process: FILE CACHE-FOLDER. See bench/preparation.ts.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const BUILT = new URL('../../dist/src/engine/', import.meta.url)
const load = (path) => import(new URL(path, BUILT))
const { validateCode } = await load('vm/validate.js')
const { prepareCode, compilePrepared } = await load('vm/preparation/prepared_code.js')
const { DiskCodeStore } = await load('vm/preparation/disk_code_store.js')
const { CompiledCode } = await load('vm/compiled_code.js')
const { warmUpValidation } = await load('vm/warm_up.js')
const { DEFAULT_WASM_CONFIG } = await load('protocol/config.js')
const { sha256 } = await load('crypto/hash.js')

const [file, folder] = process.argv.slice(2)
const code = new Uint8Array(readFileSync(file))
const task = {
  code_hash: sha256(code),
  getCode: () => code,
  max_call_depth: 250,
  movable_memory: false,
}
let refused = ''

/** Milliseconds of CPU of this process, the threads of V8's compilers included. */
function cpu(act) {
  const before = process.cpuUsage()
  try {
    act()
  } catch (error) {
    refused = error.message.slice(0, 40)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The least of many. */
function warm(act) {
  let least = Infinity
  for (let i = 0; i < 20; i++) least = Math.min(least, cpu(act))
  return least
}

// As a node does in the first second after its start.
if (process.argv[4] === 'started') for (const step of warmUpValidation()) void step
const setcode = () => validateCode(code, DEFAULT_WASM_CONFIG, () => true, true)
const figures = { bytes: code.length }
figures.setcode = cpu(setcode)
figures.setcode_genesis = cpu(() => validateCode(code, undefined, () => true, true))
figures.prepare = cpu(() => prepareCode(task))
figures.setcode_warm = warm(setcode)
figures.prepare_warm = warm(() => prepareCode(task))
figures.sha256 =
  warm(() => {
    for (let i = 0; i < 10; i++) createHash('sha256').update(code).digest()
  }) / 10
const prepared = prepareCode(task)
if ('bytes' in prepared) {
  const store = new DiskCodeStore(folder, 1 << 28, () => {})
  store.write(task.code_hash, prepared)
  figures.from_disk = cpu(() => store.read(task))
  const preparation = compilePrepared(prepared)
  if (preparation.module !== undefined) {
    const compiled = new CompiledCode(task.code_hash, { request() {}, prepare: () => preparation })
    compiled.accept(preparation)
    figures.first_run = cpu(() => compiled.instantiate(preparation.form, false))
  } else refused = preparation.refused.data.e.slice(0, 40)
}
figures.plain = cpu(() => {
  const module = new WebAssembly.Module(code)
  const imports = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    ;(imports[from] ??= {})[name] = () => 0
  }
  new WebAssembly.Instance(module, imports)
})
console.log(JSON.stringify({ from_disk: 0, first_run: 0, ...figures, refused }))
