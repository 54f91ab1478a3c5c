/**
 * Runs token actions in this process, on a chain of the library or on VeRT, and prints what they cost as JSON:
 * `node bench/support/token_suite.mjs FOLDER_OF_THE_PACKAGE CODE_WITHOUT_EXTENSION ACTIONS`.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder, code, actions] = process.argv.slice(2)
const library = createRequire(import.meta.url)(join(folder))
const suite = 'Chain' in library ? onChain(library) : await onVert(library)
// The first test, and so all that comes before it in a process that was started for it.
await suite.reset()
await suite.create()
const first_cpu_ms = cpuMs()
const first_ms = performance.now()

const runs = []
for (let run = 0; run < 5; run++) {
  runs.push({
    with_reset: await measure(Number(actions), async () => {
      await suite.reset()
      await suite.create()
    }),
    transfer: await measure(Number(actions), suite.transfer, suite.prepare),
  })
}
const best = (name) => Math.min(...runs.map((run) => run[name]))
console.log(
  JSON.stringify({
    first_ms,
    first_cpu_ms,
    with_reset_us: best('with_reset'),
    transfer_us: best('transfer'),
  }),
)

/** Microseconds of CPU for one. */
async function measure(count, act, before) {
  await before?.()
  const began = cpuMs()
  for (let i = 0; i < count; i++) await act()
  return ((cpuMs() - began) * 1000) / count
}

function cpuMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function onChain({ Chain }) {
  const chain = Chain.create()
  chain.createAccounts('alice', 'bob')
  const token = chain.deploy('eosio.token', code)
  const start = chain.checkpoint()
  const { actions: calls } = token
  return {
    reset: () => start.goBack(),
    create: () =>
      calls.create({ issuer: 'alice', maximum_supply: '1000000.0000 SYS' }).send('eosio.token'),
    prepare() {
      start.goBack()
      calls.create({ issuer: 'alice', maximum_supply: '1000000.0000 SYS' }).send('eosio.token')
      calls.issue({ to: 'alice', quantity: '1000000.0000 SYS', memo: '' }).send('alice')
    },
    transfer: () =>
      calls.transfer({ from: 'alice', to: 'bob', quantity: '0.0001 SYS', memo: '' }).send('alice'),
  }
}

async function onVert({ Blockchain }) {
  const blockchain = new Blockchain()
  const wasm = readFileSync(`${code}.wasm`)
  const abi = readFileSync(`${code}.abi`, 'utf8')
  blockchain.createAccounts('alice', 'bob')
  const token = blockchain.createContract
    ? blockchain.createContract('eosio.token', code)
    : blockchain.createAccount({ name: 'eosio.token', wasm, abi })
  const { actions: calls } = token
  return {
    reset: () => blockchain.resetTables(),
    create: () => calls.create(['alice', '1000000.0000 SYS']).send('eosio.token'),
    async prepare() {
      blockchain.resetTables()
      await calls.create(['alice', '1000000.0000 SYS']).send('eosio.token')
      await calls.issue(['alice', '1000000.0000 SYS', '']).send('alice')
    },
    transfer: () => calls.transfer(['alice', 'bob', '0.0001 SYS', '']).send('alice'),
  }
}
