import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { findContract, readContract } from '../../src/project/contract_files.ts'
import { helloContract } from '../../src/project/hello_contract.ts'
import { temporaryFolder } from '../support/node_process.ts'

describe('project: files of contracts', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => (folder = temporaryFolder()))
  afterEach(() => folder.remove())

  /** Writes a contract; the path is without extension. */
  function write(...stems: string[]): void {
    for (const stem of stems) {
      mkdirSync(dirname(join(folder.path, stem)), { recursive: true })
      writeFileSync(join(folder.path, `${stem}.wasm`), helloContract.wasm)
      writeFileSync(join(folder.path, `${stem}.abi`), helloContract.abi)
    }
  }
  const find = (named: string, account = 'account', from = '.') =>
    findContract(named, account, join(folder.path, from)).wasm.slice(folder.path.length + 1)

  it('are found by a path, with and without the extension, and in a folder', () => {
    write('build/token', 'one/build/other', 'two/a', 'two/b')
    expect(find('build/token')).equal('build/token.wasm')
    expect(find('build/token.wasm')).equal('build/token.wasm')
    expect(find(join(folder.path, 'build/token'))).equal('build/token.wasm')
    expect(find('one')).equal('one/build/other.wasm')
    expect(find('two', 'b')).equal('two/b.wasm')
    expect(() => find('two')).throw(
      /^deploy account=two: .* has several contracts: .*a.wasm, .*b.wasm$/,
    )
  })

  it('are found in npm packages of the folder and of those above it', () => {
    write('node_modules/tokens/build/eosio.token', 'node_modules/tokens/build/other')
    write('node_modules/@scope/pack/contract')
    mkdirSync(join(folder.path, 'inner'))
    for (const from of ['.', 'inner']) {
      expect(find('tokens/build/other', 'x', from)).equal('node_modules/tokens/build/other.wasm')
      expect(find('tokens', 'eosio.token', from)).match(/eosio.token.wasm$/)
      expect(find('@scope/pack', 'x', from)).equal('node_modules/@scope/pack/contract.wasm')
    }
  })

  it('an error says where they were looked for, or what is missing', () => {
    expect(() => find('nothing')).throw(
      `deploy account=nothing: there is no contract; looked for ${join(folder.path, 'nothing.wasm')}`,
    )
    writeFileSync(join(folder.path, 'lone.wasm'), helloContract.wasm)
    expect(() => find('lone')).throw(/^deploy account=lone: there is no ABI beside .*lone.wasm/)
  })

  it('files that are not WASM or not an ABI are refused', () => {
    write('bad')
    const paths = findContract('bad', 'x', folder.path)
    expect(readContract(paths).wasm).deep.equal(Buffer.from(helloContract.wasm))
    for (const text of ['{', '[]', '{"version":"eosio::abi/9.0"}']) {
      writeFileSync(paths.abi, text)
      expect(() => readContract(paths), text).throw(`${paths.abi} is not an ABI: `)
    }
    for (const bytes of ['', 'abc', 'text of a file']) {
      writeFileSync(paths.wasm, bytes)
      expect(() => readContract(paths), bytes).throw(`${paths.wasm} is not a WASM file`)
    }
  })
})
