/**
 * Submits token transfers to a chain of its own, as clients do: JSON in, JSON out. V8 optimizes what many of them need.
 * Otherwise it would do so while the first ones of users come, and take half as much of the processors again.
 */
import { abiFromJson } from '../abi/abi_json.ts'
import { packAbi } from '../abi/abi_binary.ts'
import type { TransactionTrace } from '../chain/base/trace.ts'
import type { Clock } from '../clock.ts'
import { SYSTEM_ACCOUNT } from '../protocol/constants.ts'
import { toHex } from '../protocol/hex.ts'
import { signatureToString } from '../protocol/key.ts'
import { N } from '../protocol/name.ts'
import type { Action } from '../protocol/transaction.ts'
import { symbolFromString } from '../protocol/symbol.ts'
import { Writer } from '../protocol/writer.ts'
import { ANSWER_TEXTS } from '../queries/answer_text.ts'
import { defaultOptions } from '../queries/query.ts'
import { readSubmission, submissionRequest } from '../services/production/submission_requests.ts'
import { transactionResult } from '../services/production/submissions.ts'
import type { TransactionResult } from '../services/production/submissions.ts'
import { ExampleChain, exampleAction } from './example_chain.ts'
import { WORK, exampleContract } from './example_contracts.ts'

const BLOCKS = 20
const TRANSFERS_IN_BLOCK = 100
const CONTRACTS = [
  [N('rows'), 'rows'],
  [N('notifying'), 'account'],
] as const
const SYMBOL = symbolFromString('4,SYS')
const OPERATION = 'send_transaction2'
type Request = Parameters<typeof submissionRequest<typeof OPERATION>>[1]
const toText = ANSWER_TEXTS.get(OPERATION) as (answer: TransactionResult) => string
/** An action with the data of a token transfer. */
const ABI = packAbi(
  abiFromJson({
    version: 'eosio::abi/1.2',
    structs: [
      {
        name: 'work',
        base: '',
        fields: [
          { name: 'from', type: 'name' },
          { name: 'to', type: 'name' },
          { name: 'quantity', type: 'asset' },
          { name: 'memo', type: 'string' },
        ],
      },
    ],
    actions: [{ name: 'work', type: 'work', ricardian_contract: '' }],
  }),
)

/**
 * @returns the traces; each step takes less than a millisecond once V8 has compiled it
 * @throws ChainError a submission was refused
 */
export function* submissionSteps(
  clock: Pick<Clock, 'now' | 'waited'>,
  blocks = BLOCKS,
): Generator<TransactionTrace | undefined> {
  const example = yield* ExampleChain.create(clock)
  example.begin()
  for (const [account, what] of CONTRACTS) {
    yield example.newAccount(account)
    yield example.deploy(account, exampleContract(what, 0, SYSTEM_ACCOUNT), ABI)
  }
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < TRANSFERS_IN_BLOCK; i++) {
      const [account] = CONTRACTS[i % CONTRACTS.length]!
      yield submit(example, transfer(account, i))
    }
    example.end()
    yield
    example.begin()
  }
}

/** From the request to the text of the answer. */
function submit(example: ExampleChain, action: Action): TransactionTrace {
  const { signatures, packed_trx } = example.pack(action)
  const transaction = {
    signatures: signatures.map(signatureToString),
    compression: 'none' as const,
    packed_context_free_data: '',
    packed_trx: toHex(packed_trx),
  }
  const { chain } = example
  // What JSON.parse makes has other forms in V8.
  const text = JSON.stringify({ return_failure_trace: true, transaction })
  const request = submissionRequest(OPERATION, JSON.parse(text) as Request)
  const { packed, opened } = readSubmission(chain, OPERATION, request, defaultOptions())
  const trace = example.execute(packed, opened)
  const context = { chain, clock: example, abiOptions: defaultOptions }
  toText(transactionResult(context, trace))
  return trace
}

function transfer(account: bigint, number: number): Action {
  const w = new Writer()
  w.u64(account)
  w.u64(SYSTEM_ACCOUNT)
  w.u64(BigInt(number + 1))
  w.u64(SYMBOL)
  w.string(`transfer ${number}`)
  return exampleAction(account, account, WORK, w.bytes())
}
