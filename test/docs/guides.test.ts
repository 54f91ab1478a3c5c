/** Guides are right: somebody who does what they say sees what they show. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { helloContract } from '../../src/project/hello_contract.ts'
import { helloContract as assembled } from '../contract/examples/contracts.ts'
import { PACKAGE } from '../support/test_node.ts'
import { blocksOf, isShown } from './blocks.ts'
import { installProject, type InstalledProject } from './installed_project.ts'
import { Reader, installedBy } from './reader.ts'

const DOCS = join(PACKAGE, 'docs')
const GUIDES = readdirSync(join(DOCS, 'guides')).sort()
const read = (file: string) => readFileSync(file, 'utf8')

/** Relative links of a document, without their places. */
const linksOf = (markdown: string) =>
  [...markdown.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link]) => link!)

describe('guides', () => {
  let project: InstalledProject
  before(function () {
    this.timeout(300_000)
    const packages = GUIDES.flatMap((name) => installedBy(read(join(DOCS, 'guides', name))))
    project = installProject([...new Set(packages)].filter((name) => name !== 'pronghorn'))
  })
  after(() => project?.remove())

  for (const name of GUIDES) {
    it(`${name}: every block does what is shown`, async function () {
      // Several programs start in each, on a machine that may have much else to do.
      this.timeout(240_000)
      const reader = new Reader(project)
      try {
        await reader.follow(read(join(DOCS, 'guides', name)))
      } finally {
        await reader.end()
      }
    })
  }

  it('each begins in an empty folder, with the package from npm', () => {
    for (const name of GUIDES) {
      const [first] = blocksOf(read(join(DOCS, 'guides', name)))
      expect(first, name)
        .have.property('text')
        .match(/^mkdir (\w+) && cd \1 && npm init -y\nnpm i -D pronghorn/)
    }
  })

  it('are all in the index, which the README names', () => {
    const links = linksOf(read(join(DOCS, 'README.md')))
    expect(links).include.members(GUIDES.map((name) => `guides/${name}`))
    expect(linksOf(read(join(PACKAGE, 'README.md')))).include('docs/README.md')
  })

  it('link to what is there', () => {
    const documents = ['README.md', ...GUIDES.map((name) => `guides/${name}`)]
    for (const document of documents) {
      const file = join(DOCS, document)
      for (const link of linksOf(read(file))) {
        expect(existsSync(join(dirname(file), link)), `${document}: ${link}`).equal(true)
      }
    }
  })

  it('the contract of a new project is the one that its comment says', () => {
    expect(Buffer.from(helloContract.wasm)).deep.equal(assembled().wasm)
    expect(JSON.parse(helloContract.abi)).deep.equal(JSON.parse(assembled().abi))
  })

  it('are read as written', () => {
    const fence = '```'
    const markdown = `${fence}sh\na\nb\n${fence}\n<!-- stop -->\n${fence}ts x.ts\nc\n${fence}\n`
    expect(blocksOf(markdown)).deep.equal([
      { language: 'sh', name: undefined, text: 'a\nb', line: 1 },
      { stop: true, line: 5 },
      { language: 'ts', name: 'x.ts', text: 'c', line: 6 },
    ])
    expect(() => blocksOf(`${fence}ruby\n${fence}`)).throw('line 1: a block of "ruby"')
    expect(() => blocksOf(`${fence}sh\n`)).throw('does not end')
  })

  it('show what is printed, but for white space and what is left out', () => {
    expect(isShown('{\n  "a": 1\n}', '{"a":1}')).equal(true)
    expect(isShown('{ "a": …, "b": 2 }', '{"a":[1,2],"b":2}')).equal(true)
    expect(isShown('{ "a": 1 }', '{"a":1,"b":2}')).equal(false)
    expect(isShown('a.c', 'abc')).equal(false)
  })
})
