import { expect } from 'chai'
import { WriteQueue } from '../../src/net/write_queue.ts'

const message = (length: number) => ({ framed: new Uint8Array(length), last: false })

describe('messages that wait to be sent', () => {
  it('count with the memory that they need, until they are sent', () => {
    const queue = new WriteQueue()
    for (let i = 0; i < 1000; i++) queue.add(message(1), 'general')
    const { bytes } = queue
    expect(bytes).greaterThan(200_000)
    expect(queue.take()).have.length(1000)
    expect(queue.bytes).equal(bytes)
    queue.add(message(1000), 'sync')
    queue.clear()
    expect(queue.bytes).equal(bytes)
    expect(queue.take()).deep.equal([])
    expect(queue.bytes).equal(0)
  })

  it('are taken by their order: blocks that were asked for first, transactions last, times with each', () => {
    const queue = new WriteQueue()
    queue.add(message(4), 'transactions')
    queue.add(message(3), 'general')
    queue.add(message(2), 'sync')
    queue.add(message(1), 'time')
    const lengths = () => queue.take().map(({ framed }) => framed.length)
    expect([lengths(), lengths()]).deep.equal([[1, 2], [3]])
    queue.add(message(1), 'time')
    expect([lengths(), lengths()]).deep.equal([[1, 4], []])
    queue.add(message(1), 'time')
    expect([lengths(), lengths()]).deep.equal([[1], []])
    expect(queue.bytes).equal(0)
  })
})
