import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { privateKeyToString } from '../../src/engine/crypto/private_key.ts'
import { DEVELOPMENT_PRIVATE_KEY, DEVELOPMENT_PUBLIC_KEY } from '../../src/node/development.ts'
import { helloContract } from '../../src/project/hello_contract.ts'
import { isEmpty, joinedProjects, projectOf } from '../../src/project/project.ts'
import { readConfigFile } from '../../src/project/read_config.ts'
import { builtProgram, temporaryFolder } from '../support/node_process.ts'

const OTHER_KEY = privateKeyToString({ type: 0, data: new Uint8Array(32).fill(7) })

describe('project: a prepared chain', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
    mkdirSync(join(folder.path, 'build'))
    writeFileSync(join(folder.path, 'build/hello.wasm'), helloContract.wasm)
    writeFileSync(join(folder.path, 'build/hello.abi'), helloContract.abi)
  })
  afterEach(() => folder.remove())
  const project = (config: unknown) => projectOf(config, folder.path, DEVELOPMENT_PRIVATE_KEY)

  it('accounts have the development key, or their own; those of contracts are made too', () => {
    const { accounts, contracts, bios } = project({
      accounts: ['alice'],
      deploy: { hello: 'build/hello', alice: 'build' },
    })
    expect(accounts.map(({ name }) => name)).deep.equal(['alice', 'hello'])
    expect(accounts[0]).deep.equal({
      name: 'alice',
      private_key: DEVELOPMENT_PRIVATE_KEY,
      public_key: DEVELOPMENT_PUBLIC_KEY,
      limits: undefined,
    })
    expect(contracts.map(({ account }) => account)).deep.equal(['hello', 'alice'])
    expect(bios).equal(false)
  })

  it('limits need a system contract: the small one, or the one of the project', () => {
    const accounts = { alice: { limits: { ram_bytes: 4000 } } }
    expect(project({ accounts })).deep.include({ bios: true })
    expect(project({ accounts }).accounts[0]!.limits).deep.equal({
      ram_bytes: 4000,
      net_weight: -1,
      cpu_weight: -1,
    })
    const own = project({ accounts, deploy: { eosio: 'build/hello' } })
    expect([own.bios, own.accounts.length]).deep.equal([false, 1])
    const joined = joinedProjects(project({ accounts }), project({ deploy: { eosio: 'build' } }))
    expect(joined.bios).equal(false)
  })

  it('actions are authorized by what they say, or by the account of the contract', () => {
    const actions = [
      { account: 'hello', name: 'hi', data: { user: 'bob' } },
      { account: 'hello', name: 'hi', authorization: ['alice', 'bob@owner'] },
    ]
    expect(project({ actions }).actions.map(({ authorization }) => authorization)).deep.equal([
      [{ actor: 'hello', permission: 'active' }],
      [
        { actor: 'alice', permission: 'active' },
        { actor: 'bob', permission: 'owner' },
      ],
    ])
    expect(isEmpty(project({}))).equal(true)
    expect(isEmpty(project({ bios: true }))).equal(false)
  })

  const WRONG: [string, unknown, RegExp][] = [
    ['a text', 'text', /^the configuration is not an object$/],
    ['a list', [], /^the configuration is not an object$/],
    [
      'an unknown setting',
      { acounts: [] },
      /^the configuration has no "acounts"; it has options, /,
    ],
    ['a malformed account', { accounts: ['Alice'] }, /^accounts: /],
    ['an empty account', { accounts: [''] }, /^accounts: "" is not a name$/],
    ['an account that is null', { accounts: { alice: null } }, /^accounts.alice is not an object$/],
    ['a number of accounts', { accounts: 3 }, /^accounts is not an object$/],
    [
      'a wrong key',
      { accounts: { alice: { key: 'abc' } } },
      /^accounts.alice.key is not a private key/,
    ],
    [
      'a public key',
      { accounts: { alice: { key: DEVELOPMENT_PUBLIC_KEY } } },
      /is not a private key/,
    ],
    ['an unknown field', { accounts: { alice: { ram: 1 } } }, /^accounts.alice has no "ram"$/],
    ['an unknown limit', { accounts: { alice: { limits: { ram: 1 } } } }, /limits has no "ram"$/],
    ['half a byte', { accounts: { alice: { limits: { ram_bytes: 0.5 } } } }, /is a whole number/],
    [
      'less than no limit',
      { accounts: { a: { limits: { cpu_weight: -2 } } } },
      /is a whole number/,
    ],
    [
      'a contract that is absent',
      { deploy: { hello: 'build/bye' } },
      /^deploy hello=build\/bye: there is no/,
    ],
    [
      'a contract that is not a path',
      { deploy: { hello: 3 } },
      /^deploy.hello is the path of a contract$/,
    ],
    ['a contract without a name', { deploy: { 'HELLO!': 'build' } }, /^accounts: /],
    ['actions by name', { actions: {} }, /^actions is a list of actions$/],
    ['an action without a name', { actions: [{ account: 'hello' }] }, /^actions\[0\].name: /],
    ['a misspelt field', { actions: [{ account: 'a', name: 'b', auth: 'c' }] }, /has no "auth"$/],
    [
      'three parts',
      { actions: [{ account: 'a', name: 'b', authorization: 'a@b@c' }] },
      /is not ACCOUNT@PERMISSION$/,
    ],
    ['a watch in words', { watch: 'yes' }, /^watch is true or false$/],
    ['an invalid folder', { folder: 1 }, /^folder is a path$/],
  ]
  for (const [what, config, message] of WRONG) {
    it(`refuses ${what}`, () => expect(() => project(config)).throw(message))
  }

  it('an own key is used', () => {
    const [account] = project({ accounts: { alice: { key: OTHER_KEY } } }).accounts
    expect(account!.private_key).equal(OTHER_KEY)
    expect(account!.public_key).not.equal(DEVELOPMENT_PUBLIC_KEY)
  })
})

describe('project: its configuration', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => (folder = temporaryFolder()))
  afterEach(() => folder.remove())
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text)
  const failure = (named?: string) =>
    readConfigFile(named, folder.path).then(
      () => '',
      (error: Error) => error.message,
    )

  it('is found in the folder, as a module or as JSON; there may be none', async () => {
    expect(await readConfigFile(undefined, folder.path)).equal(undefined)
    write('pronghorn.config.json', '{"accounts": ["alice"]}')
    expect(await readConfigFile(undefined, folder.path)).deep.equal({
      path: join(folder.path, 'pronghorn.config.json'),
      config: { accounts: ['alice'] },
    })
    write('pronghorn.config.mjs', 'export default { accounts: ["bob"] }')
    expect((await readConfigFile(undefined, folder.path))!.config).deep.equal({ accounts: ['bob'] })
    const named = await readConfigFile('pronghorn.config.json', folder.path)
    expect(named!.config).deep.equal({ accounts: ['alice'] })
  })

  it('in TypeScript, it needs a Node.js that reads TypeScript', async () => {
    write(
      'pronghorn.config.ts',
      'const accounts: string[] = ["alice"]\nexport default { accounts }',
    )
    const { features } = process as { features: { typescript?: unknown } }
    if (features.typescript) {
      const { config } = (await readConfigFile(undefined, folder.path))!
      expect(config).deep.equal({ accounts: ['alice'] })
    } else {
      expect(await failure()).match(
        /pronghorn.config.ts: Node.js [\d.]+ reads no TypeScript; version 22.18 or later does. Name the file pronghorn.config.mjs/,
      )
    }
  })

  it('an error names the file', async () => {
    expect(await failure('other.mjs')).equal(
      `project: there is no file ${join(folder.path, 'other.mjs')}`,
    )
    write('a.json', '{')
    expect(await failure('a.json')).match(/a.json cannot be read: /)
    write('b.mjs', 'throw new Error("broken")')
    expect(await failure('b.mjs')).match(/b.mjs cannot be read: broken$/)
    write('c.mjs', 'export const config = {}')
    expect(await failure('c.mjs')).match(/c.mjs has no default export: export default defineConfig/)
  })

  it('a module in a package that is not made of modules gets a hint', () => {
    write('package.json', '{"type": "commonjs"}')
    write('pronghorn.config.js', 'export default {}')
    const { status, stderr } = spawnSync(process.execPath, builtProgram(), {
      cwd: folder.path,
      encoding: 'utf8',
    })
    expect(status).equal(2)
    expect(stderr).match(/package.json, name it pronghorn.config.mjs\n$/)
  })
})
