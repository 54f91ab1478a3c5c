import { expect } from 'chai'
import { KeptClient } from '../support/kept_client.ts'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

/** More reads than a node answers before it starts its threads, or ends their rest. */
const MANY_READS = 600
/** More submissions in a row than a thread takes before it rests. */
const MANY_SUBMISSIONS = 120

/** A transaction of 1970. */
const EXPIRED = JSON.stringify({
  ...{ signatures: [], compression: 'none', packed_context_free_data: '' },
  packed_trx: '00'.repeat(16),
})

/** Blocks this thread. Milliseconds. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('server: an HTTP thread that gets submissions alone', () => {
  let node: TestNode
  const clients: KeptClient[] = []

  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.destroy()
    const { faults } = node
    await node.stop()
    expect(faults).deep.equal([])
  })

  async function start(spare_processors: boolean): Promise<void> {
    node = await TestNode.start({
      argv: ['--http-threads=1'],
      server: { validate_responses: false, spare_processors },
    })
  }

  async function startThread(): Promise<void> {
    for (let i = 0; i < MANY_READS; i++) node.server.threads.countRead()
    await node.server.threads.started()
  }

  /** A connection that the thread has accepted. */
  async function client(): Promise<KeptClient> {
    const opened = await KeptClient.of(node, true)
    clients.push(opened)
    return opened
  }

  /** Sends submissions until the connection is to be closed; whether it is. */
  async function submitMany(from: KeptClient): Promise<boolean> {
    for (let i = 0; i < MANY_SUBMISSIONS; i++) {
      const answer = await from.post('send_transaction2', {})
      expect(answer).match(/^HTTP.1.1 400/)
      if (/^connection: close/im.test(answer)) return true
    }
    return false
  }

  it('rests and ends its connections, until the chain thread has many reads', async () => {
    await start(false)
    await startThread()
    const { threads } = node.server
    const first = await client()
    const second = await client()
    expect(await submitMany(first)).equal(true)
    await until('its connection is closed', () => first.is_closed)
    expect(await submitMany(second)).equal(true)
    await until('the other one is closed too', () => second.is_closed)
    expect(threads.areResting).equal(true)
    for (let i = 0; i < MANY_READS; i++) threads.countRead()
    expect(threads.areResting).equal(false)
    const third = await client()
    expect(await third.post('get_info', {})).match(/^connection: keep-alive/im)
  })

  it('does not rest when it gets a read', async () => {
    await start(false)
    await startThread()
    const { threads } = node.server
    const submitting = await client()
    const reading = await client()
    expect(await submitMany(submitting)).equal(true)
    expect(await reading.post('get_code_hash', { account_name: 'eosio' })).match(/: keep-alive/i)
    expect(threads.areResting).equal(false)
    expect(await submitMany(reading)).equal(true)
    expect(threads.areResting).equal(true)
  })

  it('waits for requests as usual when none comes on the connections that are left', async () => {
    await start(false)
    await startThread()
    const idle = await client()
    expect(await submitMany(await client())).equal(true)
    await until('the end of the rest', () => !node.server.threads.areResting)
    expect(await idle.post('send_transaction2', {})).match(/^connection: keep-alive/im)
  })

  it('rests no more once clients connect while the chain thread takes long turns', async () => {
    await start(false)
    await startThread()
    const { threads } = node.server
    const first = await client()
    expect(await submitMany(first)).equal(true)
    await until('its connection is closed', () => first.is_closed)
    await until('the end of the rest', async () => {
      const connecting = new KeptClient(node.url)
      await connecting.post('send_transaction2', {})
      connecting.socket.destroy()
      const end = performance.now() + 1100
      while (threads.areResting && performance.now() < end);
      return !threads.areResting
    })
    expect(await submitMany(await client())).equal(false)
    expect(threads.areResting).equal(false)
  })

  it('answers a request that has arrived before the connection ends', async () => {
    await start(false)
    await startThread()
    const submitting = await client()
    const { socket } = await client()
    expect(await submitMany(submitting)).equal(true)
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    const head = 'POST /v1/chain/push_transaction HTTP/1.1\r\nHost: localhost\r\n'
    for (let i = 0; i < 2; i++) {
      socket.write(`${head}Content-Length: ${EXPIRED.length}\r\n\r\n${EXPIRED}`)
      // This thread, which is asked, gives no answer meanwhile.
      pause(50)
    }
    await until('both are answered', () => text.match(/HTTP.1.1 500/g)?.length === 2)
    const said = text.match(/^connection: .*(?=\r)/gim)
    expect(said).deep.equal(['Connection: keep-alive', 'Connection: close'])
  })

  it('does not rest where processors are left to it', async () => {
    await start(true)
    await startThread()
    expect(await submitMany(await client())).equal(false)
    expect(node.server.threads.areResting).equal(false)
  })

  it('ends with the node while it rests', async () => {
    await start(false)
    await startThread()
    const open = [await client(), await client()]
    expect(await submitMany(open[0]!)).equal(true)
    await node.stop()
    await until('all are closed', () => open.every(({ is_closed }) => is_closed))
  })
})
