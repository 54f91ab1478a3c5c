/** The texts of answers that are not made by JSON.stringify are the same texts. */
import { expect } from 'chai'
import { ANSWER_TEXTS } from '../../src/engine/reading.ts'
import { loadRecording, operations, tryJson } from './support.ts'

describe('the text of an answer', () => {
  const texts = new Map<string, Set<string>>()

  before(() => {
    const names = new Map(operations.map(({ path, name }) => [path, name]))
    for (const { path, status, response } of [
      ...loadRecording('one/reads'),
      ...loadRecording('one/live'),
    ]) {
      const name = names.get(path)
      if (name === undefined || !ANSWER_TEXTS.has(name) || status >= 300) continue
      const known = texts.get(name) ?? new Set()
      const answer = tryJson(response)
      // HEAD has none.
      if (answer !== undefined) texts.set(name, known.add(JSON.stringify(answer)))
    }
  })

  for (const [name, textOf] of ANSWER_TEXTS) {
    it(`of ${name} is that of JSON.stringify, for every recorded answer`, () => {
      const recorded = texts.get(name) ?? new Set()
      expect(recorded.size).above(0)
      for (const text of recorded) expect(textOf(JSON.parse(text) as never)).equal(text)
    })
  }
})
