/** The documentation page shows the contract without a network. */
import { expect } from 'chai'
import { generateDocs } from '../../scripts/codegen/docs.ts'
import { operations, root } from './support.ts'

describe('the documentation page', () => {
  let page = ''
  before(() => {
    page = generateDocs(root)
  })

  it('shows every operation', () => {
    for (const { path } of operations) expect(page).to.include(path)
  })

  it('asks for nothing that it does not hold', () => {
    const tags = page.match(/<(?:link|script|img|iframe|object|embed)\b[^>]*>/g) ?? []
    expect(tags.length).to.be.greaterThan(0)
    for (const tag of tags) expect(tag).not.to.match(/\b(?:src|href|data)\s*=(?!"data:)/)
    expect(page).not.to.match(/https?:\/\/[\w.]*cdn[\w.]*\//)
    for (const style of page.match(/<style\b[^>]*>[^]*?<\/style>/g) ?? [])
      expect(style).not.to.match(/@import|url\(\s*["']?https?:/)
  })

  it('may ask for nothing else either, by its own policy', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? ''
    expect(policy).to.match(/^default-src 'none';/)
    expect(policy).not.to.match(/http|\*|connect-src/)
  })

  it('is the same each time', () => {
    expect(generateDocs(root) === page).to.equal(true)
  })
})
