/** The project that `pronghorn init` writes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { OptionError } from '../../src/options/parse.ts'
import { runInitCommand } from '../../src/project/init.ts'
import { temporaryFolder } from '../support/node_process.ts'

describe('project: init', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => (folder = temporaryFolder()))
  afterEach(() => folder.remove())

  const at = (name: string) => join(folder.path, name)
  const init = () => runInitCommand([folder.path], '1.2.3')
  const manifest = () =>
    JSON.parse(readFileSync(at('package.json'), 'utf8')) as Record<string, unknown>
  const SCRIPTS = { start: 'pronghorn', test: 'node --test' }

  it('in an empty folder, it has a package.json with scripts', () => {
    const text = init()
    expect(manifest()).include({ private: true, type: 'module' })
    expect(manifest()).deep.include({ scripts: SCRIPTS, devDependencies: { pronghorn: '1.2.3' } })
    expect(text)
      .match(/^wrote pronghorn\.config\.mjs\n/)
      .include('npm install\n')
    for (const file of ['contracts/hello.wasm', 'test/hello.test.mjs', '.gitignore']) {
      expect(existsSync(at(file)), file).equal(true)
    }
  })

  it('gives the package.json of npm init its scripts, and keeps all else', () => {
    const placeholder = 'echo "Error: no test specified" && exit 1'
    const given = { name: 'mine', scripts: { test: placeholder, build: 'make' }, type: 'commonjs' }
    writeFileSync(at('package.json'), JSON.stringify(given))
    writeFileSync(at('README.md'), 'mine')
    expect(init())
      .include('added to package.json: scripts start, test\n')
      .not.include('npm install')
    expect(manifest()).deep.equal({ ...given, scripts: { ...SCRIPTS, build: 'make' } })
    expect(readFileSync(at('README.md'), 'utf8')).equal('mine')
  })

  it('keeps scripts of the same names', () => {
    const given = '{ "scripts": { "start": "serve", "test": "mocha" } }'
    writeFileSync(at('package.json'), given)
    expect(init()).not.include('added')
    expect(readFileSync(at('package.json'), 'utf8')).equal(given)
  })

  it('writes nothing where files are in its way, or package.json is none', () => {
    const refused = (text: RegExp) => {
      expect(init).throw(OptionError, text)
      expect(existsSync(at('contracts'))).equal(false)
    }
    for (const text of ['{', 'null', '{ "scripts": 1 }']) {
      writeFileSync(at('package.json'), text)
      refused(/package\.json cannot be read/)
    }
    writeFileSync(at('package.json'), '{}')
    writeFileSync(at('pronghorn.config.mjs'), '')
    refused(/has pronghorn\.config\.mjs already; nothing is written/)
    expect(() => runInitCommand(['a', 'b'], '1.2.3')).throw(OptionError, 'usage')
  })
})
