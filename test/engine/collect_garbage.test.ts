import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
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
  async function isCollected(): Promise<unknown> {
    const [answer] = (await once(new Worker(PROGRAM, { eval: true }), 'message')) as [unknown]
    return answer
  }

  it('is done by a thread of a program that lets V8 offer it, and by no other', async function () {
    if (globalThis.gc) return this.skip()
    expect(await isCollected()).equal(false)
    setFlagsFromString('--expose-gc')
    try {
      expect(await isCollected()).equal(true)
    } finally {
      setFlagsFromString('--no-expose-gc')
    }
  })
})
