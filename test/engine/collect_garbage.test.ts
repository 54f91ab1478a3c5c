import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { joinedSource } from '../../src/engine/thread_source.ts'

const MODULE = joinedSource(new URL('../../src/engine/collect_garbage.ts', import.meta.url))

/** A thread that answers whether an object that nothing holds is gone. */
const PROGRAM = `
const { parentPort } = require('node:worker_threads')
import('${MODULE.href}').then(({ collectGarbage }) => {
  const held = new WeakRef({})
  setImmediate(() => {
    collectGarbage()
    parentPort.postMessage(held.deref() === undefined)
  })
})`

describe('the collection of garbage', () => {
  it('is done at once, in a thread of a process in which V8 does not offer it', async () => {
    expect(globalThis.gc).equal(undefined)
    const [answer] = (await once(new Worker(PROGRAM, { eval: true }), 'message')) as [unknown]
    expect(answer).equal(true)
    expect(globalThis.gc).equal(undefined)
  })
})
