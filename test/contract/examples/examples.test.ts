/**
 * The examples of the contract are what nodes answer: every request is made, every answer compared,
 * those of errors too. All are of two chains, so that they agree with each other.
 */
import { expect } from 'chai'
import { resolveRef } from '../../../scripts/codegen/contract.ts'
import { contract, operations } from '../support.ts'
import { settled, shownValue } from './shown.ts'
import type { ContextReader, Told } from './story.ts'
import { tell } from './tell.ts'

function expectShown(told: readonly Told[]): void {
  for (const { ref, value, about } of told) {
    const shown = settled(ref, shownValue(ref))
    expect(settled(ref, value), `${about}, ${ref}: make examples`).deep.equal(shown)
  }
}

/** References to the examples of all operations: of requests, or of answers by status. */
function* referred(kind: 'requests' | 'answers'): Generator<string> {
  for (const { path } of operations) {
    const { post } = contract.paths[path]!
    const responses = Object.values(post.responses).map((r) => resolveRef(contract, r))
    for (const holder of kind === 'requests' ? [post.requestBody] : responses) {
      const examples = holder?.content?.['application/json']?.examples ?? {}
      for (const example of Object.values(examples)) yield example.$ref!
    }
  }
}

describe('the examples of the contract', () => {
  let story: ContextReader
  before(async () => {
    story = await tell()
  })

  it('are requests that a node takes', () => expectShown(story.requests))

  it('are the answers of a node', () => expectShown(story.answers))

  it('are all asked', () => {
    const refs = (told: readonly Told[]) => [...new Set(told.map(({ ref }) => ref))].sort()
    expect(refs(story.requests)).deep.equal([...new Set(referred('requests'))].sort())
    expect(refs(story.answers)).deep.equal([...new Set(referred('answers'))].sort())
  })

  it('are components, so that each is named once', () => {
    for (const ref of [...referred('requests'), ...referred('answers')]) {
      expect(ref).match(/^#\/components\/examples\/\w+$/)
    }
  })
})
