import { expect } from 'chai'
import type { TransactionTrace } from '../../../../src/engine/chain/base/trace.ts'
import type { TransactionMetadata } from '../../../../src/engine/chain/base/transaction_metadata.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { transactionText } from '../../../../src/engine/services/transaction_log/transaction_text.ts'
import { developmentChain, transfer } from '../../../contract/examples/development_chain.ts'
import { temporaryFolder } from '../../../support/node_process.ts'
import type { TestNode } from '../../../support/test_node.ts'

/** Runs a test on the chain of the examples, whose log has what came before too. */
async function onChain(
  argv: string[],
  test: (on: Awaited<ReturnType<typeof developmentChain>>) => Promise<void>,
): Promise<void> {
  const { path, remove } = temporaryFolder()
  const on = await developmentChain(path, argv)
  try {
    await test(on)
  } finally {
    await on.node.stop()
    remove()
  }
}

const linesOf = ({ log }: TestNode) =>
  log.filter((line) => /^info (deferred )?transaction/.test(line))

/** Part of a trace: `account::act` on a receiver, sent by the action with the ordinal `creator`. */
function action(
  ordinal: number,
  creator: number,
  [account, receiver]: string[],
  error?: ChainError,
) {
  return {
    ...{ action_ordinal: ordinal, creator_action_ordinal: creator, receiver: N(receiver!) },
    act: { account: N(account!), name: N('act'), authorization: [], data: new Uint8Array(0) },
    ...{ console: ordinal === 1 ? 'h\u00c3\u00a9' : '', account_ram_deltas: [], except: error },
    receipt: ordinal === 1 ? {} : undefined,
  }
}

describe('the transactions of a development chain in the log', () => {
  it('one line has actions, accounts, CPU, NET, RAM and console', () =>
    onChain([], async (on) => {
      const before = linesOf(on.node).length
      await on.act('eosio.token', 'transfer', 'alice', {
        from: 'alice',
        to: 'bob',
        quantity: '1.0000 SYS',
        memo: '',
      })
      await on.act('hello', 'hi', 'alice', { user: 'alice' })
      // Blocks are made and pending ones are restarted: nothing is repeated.
      await on.node.ask('/v1/dev/set_production_mode', { body: { mode: 'manual' } })
      await on.node.ask('/v1/dev/mine_blocks', { body: { blocks: 3 } })
      const [moved, greeted, ...others] = linesOf(on.node).slice(before)
      expect(others).deep.equal([])
      expect(moved).match(
        /^info transaction [0-9a-f]{8} in block \d+: eosio\.token::transfer by alice@active; CPU \d+ us, NET \d+ bytes, RAM alice \+\d+$/,
      )
      expect(greeted).match(/: hello::hi by alice@active; .*; console "[^"]*alice/)
    }))

  it('a failing one has its error, and the tree of its actions with the place', () =>
    onChain([], async (on) => {
      const action = await transfer(on, '999999.0000 SYS', '')
      const answer = await on.node.chain('send_transaction', await on.signed(['alice'], [action]))
      expect(answer.status).equal(500)
      const lines = linesOf(on.node).at(-1)!.split('\n')
      const error =
        'eosio_assert_message_exception: assertion failure with message: overdrawn balance'
      expect(lines[0])
        .match(/^info transaction [0-9a-f]{8} failed: /)
        .include(error)
      expect(lines[1]).equal(`  eosio.token::transfer by alice@active: FAILED, ${error}`)
    }))

  it('the tree has inline actions and notifications below those that sent them', () => {
    const error = new ChainError('eosio_assert_code_exception', 'assertion failure with code 7')
    const trace = {
      ...{ id: new Uint8Array(32), except: error },
      action_traces: [
        action(1, 0, ['a', 'a']),
        action(2, 1, ['a', 'b']),
        action(3, 1, ['c', 'c'], error),
        action(4, 3, ['d', 'd']),
      ],
    } as unknown as TransactionTrace
    const meta = { kind: 'scheduled', trx: { actions: [] } } as unknown as TransactionMetadata
    expect(transactionText({ trace, meta }).split('\n')).deep.equal([
      'deferred transaction 00000000 failed: eosio_assert_code_exception: assertion failure with code 7',
      '  a::act',
      '    notified b: not executed',
      '    c::act: FAILED, eosio_assert_code_exception: assertion failure with code 7',
      '      d::act: not executed',
      'console "h\u00e9"',
    ])
  })

  it('quiet turns it off, and other chains have none', () =>
    onChain(['--quiet'], async ({ node }) => {
      expect(linesOf(node)).deep.equal([])
      expect(node.engine.services.transaction_log).equal(undefined)
    }))
})
