/** Nothing that a node prints, logs, answers or stores has a private key of its operator. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { routes } from '../../generated/routes.ts'
import { blsPrivateKeyFromString, privateKeyFromString } from '../../src/engine/index.ts'
import {
  DEVELOPMENT_BLS_PRIVATE_KEY,
  DEVELOPMENT_BLS_PUBLIC_KEY,
  DEVELOPMENT_PRIVATE_KEY,
  DEVELOPMENT_PUBLIC_KEY,
} from '../../src/node/development.ts'
import { ask } from '../support/http.ts'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'

const PUBLIC = DEVELOPMENT_PUBLIC_KEY
const PRIVATE = DEVELOPMENT_PRIVATE_KEY
/** What gives the keys away: a good part of their texts, and their numbers. */
const SECRETS = [
  PRIVATE.slice(8, 40),
  DEVELOPMENT_BLS_PRIVATE_KEY.slice(8, 40),
  Buffer.from(privateKeyFromString(PRIVATE).data).toString('latin1'),
  Buffer.from(blsPrivateKeyFromString(DEVELOPMENT_BLS_PRIVATE_KEY)).toString('latin1'),
]
const CONFIG = [
  'producer-name = eosio',
  'enable-stale-production = true',
  `signature-provider = ${PUBLIC}=KEY:${PRIVATE}`,
  `signature-provider = ${DEVELOPMENT_BLS_PUBLIC_KEY}=KEY:${DEVELOPMENT_BLS_PRIVATE_KEY}`,
  'log-level = debug',
  'contracts-console = true',
  'verbose-http-errors = true',
]

describe('node: private keys', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
    writeFileSync(join(folder.path, 'config.ini'), CONFIG.join('\n'))
  })
  afterEach(() => folder.remove())

  function expectNone(text: string, what: string): void {
    for (const secret of SECRETS) expect(text.includes(secret), what).equal(false)
  }

  function files(path = folder.path): string[] {
    return readdirSync(path).flatMap((name) => {
      const file = join(path, name)
      return statSync(file).isDirectory() ? files(file) : [file]
    })
  }

  it('are in no output, no answer and no file of a node that produces', async () => {
    const node = await NodeProcess.start(folder.path)
    const start = await node.head()
    await until('it produces', async () => (await node.head()) > start)
    const paths = [...Object.keys(routes), '/v1/prometheus/metrics', '/openapi.json', '/nothing']
    for (const path of paths) {
      if (path.endsWith('create_snapshot')) continue
      for (const body of [undefined, '{}', '{"account_name": 5', '[[]]']) {
        expectNone((await ask(node.url, path, { body })).text, path)
      }
    }
    expect((await ask(node.url, '/v1/producer/create_snapshot')).status).equal(201)
    expect(await node.stop()).deep.equal({ code: 0, signal: null })
    expect(node.stdout).include('producing for')
    expect(node.stderr).include('produced block')
    expectNone(node.stdout + node.stderr, 'output')
    const kept = files().filter((file) => !file.endsWith('config.ini'))
    expect(kept.length).greaterThan(5)
    for (const file of kept) expectNone(readFileSync(file, 'latin1'), file)
  })

  const ways: [string, string[], number][] = [
    ['--print-config', ['--print-config'], 0],
    ['--help', ['--help'], 0],
    ['a key of somebody else', ['-s', `${DEVELOPMENT_BLS_PUBLIC_KEY}=KEY:${PRIVATE}`], 2],
    ['an invalid provider', [`--signature-provider=${PRIVATE}`], 2],
    ['an unknown option', [`--signature-key=${PUBLIC}=KEY:${PRIVATE}`], 2],
    ['a key where none belongs', [PRIVATE], 2],
    ['a key as a name', ['-p', PRIVATE], 2],
    ['a wrong option beside the keys', ['--chain-threads=0'], 2],
  ]
  for (const [what, argv, code] of ways) {
    it(`are not printed: ${what}`, async () => {
      const node = new NodeProcess(['--data-dir', folder.path, ...argv])
      expect((await node.ended).code, node.stderr).equal(code)
      expect(node.stdout + node.stderr).not.equal('')
      expectNone(node.stdout + node.stderr, what)
    })
  }
})
