import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { lateListener } from '../../src/server/late_listener.ts'

describe('server: a listener that is made late', () => {
  const response = {} as ServerResponse
  const request = (url: string) => ({ url }) as IncomingMessage

  it('is made once, and gets every request in order', async () => {
    const got: string[] = []
    let made = 0
    const { listener, make } = lateListener(async () => {
      made++
      await new Promise((resolve) => setImmediate(resolve))
      return ((req) => got.push(req.url!)) as RequestListener
    })
    listener(request('1'), response)
    listener(request('2'), response)
    expect(got).deep.equal([])
    await make()
    expect(got).deep.equal(['1', '2'])
    listener(request('3'), response)
    expect(got).deep.equal(['1', '2', '3'])
    await make()
    expect(made).equal(1)
  })
})
