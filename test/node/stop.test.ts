/** A node that is asked to stop while all kinds of requests are under way. */
import { connect, type Socket } from 'node:net'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { Action, PackedTransaction, SignedTransaction } from '@wharfkit/antelope'
import { ask, type Answer } from '../support/http.ts'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'
import { until } from '../support/wait.ts'

interface ErrorBody {
  error: { name: string; details: { message: string }[] }
}

describe('node: a stop', () => {
  const folder = temporaryFolder()
  const sockets: Socket[] = []
  let node: NodeProcess
  let chain: WharfkitChain
  before(async () => {
    node = await NodeProcess.start(folder.path, ['--unix-socket-path', 'control.sock'])
    chain = new WharfkitChain(node.url)
  })
  after(async () => {
    for (const socket of sockets) socket.destroy()
    await node.kill()
    folder.remove()
  })

  /** A connection on which this much of a request was sent. */
  async function begun(text: string): Promise<Socket> {
    const { hostname, port } = new URL(node.url)
    const socket = connect(Number(port), hostname)
    // How it ends is not looked at.
    socket.on('error', () => {})
    sockets.push(socket)
    await new Promise<void>((resolve) => socket.write(text, () => resolve()))
    return socket
  }

  /** The creation of an account, signed. */
  async function creation(name: string): Promise<{ id: string; transaction: object }> {
    const authority = {
      threshold: 1,
      keys: [{ key: String(chain.key.toPublic()), weight: 1 }],
      accounts: [],
      waits: [],
    }
    const data = { creator: 'eosio', name, owner: authority, active: authority }
    const action: Action = await chain.action('eosio', 'newaccount', 'eosio', data)
    const session = await chain.session('eosio')
    const result = await session.transact({ action }, { broadcast: false })
    const { transaction } = result.resolved!
    const signed = SignedTransaction.from({ ...transaction, signatures: result.signatures })
    const packed = JSON.parse(JSON.stringify(PackedTransaction.fromSigned(signed))) as object
    return { id: String(transaction.id), transaction: packed }
  }

  it('ends cleanly: waiting requests are answered, slow ones are closed, and all data is kept', async () => {
    const made = await creation('alice')
    const sent = await node.chain('send_transaction2', {
      transaction: made.transaction,
      retry_trx: true,
      retry_trx_num_blocks: 0,
    })
    expect(sent.status).equal(202)
    await ask(node.url, '/v1/producer/pause')

    const waiting = await creation('bob')
    const retried = node.chain('send_transaction2', {
      transaction: waiting.transaction,
      retry_trx: true,
    })
    const state = async () =>
      (await node.chain('get_transaction_status', { id: waiting.id })).body as { state: string }
    await until('it waits', async () => (await state()).state === 'LOCALLY_APPLIED')

    const request = 'POST /v1/chain/get_info HTTP/1.1\r\nHost: localhost\r\n'
    await begun(`${request}Content-Length: 2\r\n\r\n{}`)
    await begun(`${request}Content-Length: 2000\r\n\r\n{"slow":`)
    await begun(request)
    await begun('')

    const others: Promise<Answer | Error>[] = []
    for (let i = 0; i < 50; i++) {
      const wanted = { block_num_or_id: 1 + (i % 3) }
      others.push(node.chain('get_block', wanted).catch((error: Error) => error))
    }
    const ending = node.stop()
    const { status, body } = await retried
    expect(status).equal(500)
    expect((body as ErrorBody).error.details[0]!.message).match(/^the node stops while transaction/)
    // Each of the others was answered, or was refused as a whole.
    for (const other of await Promise.all(others)) {
      if (!(other instanceof Error)) expect(other.status).equal(200)
    }
    expect(await ending, node.stderr).deep.equal({ code: 0, signal: null })
    expect(node.stderr).match(
      / info +stopping\n[^]* info +stopped at block \d+, successfully exiting\n$/,
    )
    expect(existsSync(join(folder.path, 'control.sock'))).equal(false)

    node = await NodeProcess.start(folder.path)
    const { body: account } = await node.chain('get_account', { account_name: 'alice' })
    expect(account).include({ account_name: 'alice' })
  })
})
