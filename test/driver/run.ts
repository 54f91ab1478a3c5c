/**
 * `make driver`: drives a node of ours from genesis through the whole script that the reference was
 * recorded with, and compares every answer. Takes about 75 seconds, most of it blocks to wait for, so
 * it is not a test of CI; what it compares with is.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NodeProcess, patientProgram, temporaryFolder } from '../support/node_process.ts'
import { judge } from './accepted.ts'
import { compareRecordings, readRecording } from './compare.ts'

const fixture = (path: string): string =>
  fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url))
const PACKAGE = join(import.meta.dirname, '../..')

/** The development key, which eosio has from genesis. */
const EOSIO = [
  'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV',
  '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3',
] as const

/** Two finalizers. */
const BLS = [
  [
    'PUB_BLS_sGOyYNtpmmjfsNbQaiGJrPxeSg9sdx0nRtfhI_KnWoACXLL53FIf1HjpcN8wX0cYQyOE60NLSI9iPY8mIlT4GkiFMT3ez7j2IbBBzR0D1MthC0B_fYlgYWwjcbqCOowSaH48KA',
    'PVT_BLS_QgHHJ5vprZcjG7P0xWoIdX4yKPQXoG4k3e28TpLIQicB7GL_',
  ],
  [
    'PUB_BLS_X6Wzge0CMkDLu0svywBWGBdIuMfol_hAG7zeukAddsbQsArgcuZ6tz3LLoLRurUMhz6ZpOHdYCPU0Rg8Fo8n4UDsT6pcHSmwWMKWIhyS-Ms0O_dYCRQ2Q5HLxBGMxyIWaltxlw',
    'PVT_BLS_TvIkGjiwy3b5k9yc6YnwHPQp1n_9x8yP4mZQl5Ke1yvp2_vv',
  ],
] as const

interface DriverKey {
  toPublic(): { toLegacyString(prefix: string): string }
  toWif(): string
}

/** The driver's own key of a name. */
async function keyOf(name: string): Promise<[string, string]> {
  const lib = (await import(fixture('driver/lib.mjs'))) as { keyOf: (name: string) => DriverKey }
  const key = lib.keyOf(name)
  return [key.toPublic().toLegacyString('EOS'), key.toWif()]
}

async function options(): Promise<string[]> {
  const keys = [EOSIO, await keyOf('proda'), await keyOf('prodb'), ...BLS]
  return [
    ...['--genesis-json', fixture('recordings/one/genesis.json')],
    ...['eosio', 'proda', 'prodb'].flatMap((name) => ['--producer-name', name]),
    ...keys.flatMap(([pub, pvt]) => ['--signature-provider', `${pub}=KEY:${pvt}`]),
    ...['--max-transaction-time', '200', '--contracts-console', '--enable-stale-production'],
    ...['--signature-cpu-billable-pct', '0'],
  ]
}

/** Runs the script; its recording is `live.jsonl` in `folder`. */
async function drive(url: string, folder: string): Promise<void> {
  const driver = spawn(process.execPath, [fixture('driver/record.mjs'), url, folder, '1'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      DRIVER_MODULES: PACKAGE,
      NPM_CONTRACTS: join(PACKAGE, 'node_modules/proton-tsc/external'),
      BLS_PUBS: BLS.map(([pub]) => pub).join(),
    },
  })
  const [code] = (await once(driver, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the driver ended with ${code}`)
}

const folder = temporaryFolder()
const node = await NodeProcess.start(join(folder.path, 'data'), await options(), patientProgram())
try {
  await drive(node.url, folder.path)
} finally {
  await node.stop()
}
const reference = readRecording(fixture('recordings/one/live.jsonl.gz'))
const differences = compareRecordings(reference, readRecording(join(folder.path, 'live.jsonl')))
const { faults, unseen } = judge(differences)
console.log(`${reference.size - differences.length} of ${reference.size} exchanges are equal`)
for (const fault of faults) console.log(`not accepted: ${fault}`)
for (const { reason } of unseen) console.log(`accepted, but it does not differ: ${reason}`)
if (faults.length > 0 || unseen.length > 0) {
  console.log(`the recording is kept: ${join(folder.path, 'live.jsonl')}`)
  process.exitCode = 1
} else folder.remove()
