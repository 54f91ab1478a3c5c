import {
  encodeAction,
  fromBase64,
  privateKeyFromString,
  signTransaction,
  type Answer,
  type Body,
  type PlainAction,
  type SigningChain,
} from '../engine/index.ts'

/** The answer to a transaction that was executed. */
export type Executed = Extract<Answer<'send_transaction2'>, { processed: object }>

/** The operations of a node that a sender uses, by HTTP or in the process. */
export interface SendingNode {
  get_info(): Promise<SigningChain>
  get_raw_abi(body: Body<'get_raw_abi'>): Promise<Pick<Answer<'get_raw_abi'>, 'abi'>>
  send_transaction2(body: Body<'send_transaction2'>): Promise<Answer<'send_transaction2'>>
}

/** The seconds after which a transaction expires, at least. */
const LEAST_EXPIRATION_S = 60
/** Transactions that are equal otherwise differ in their expiration, so none is a duplicate. */
const EXPIRATIONS = 3000

/** Makes transactions of actions, signs them and sends them to a node. */
export class Sender {
  private readonly node: SendingNode
  private sent = 0

  constructor(node: SendingNode) {
    this.node = node
  }

  /**
   * Sends actions as one transaction: all of them are executed, or none.
   * @param keys private keys that sign
   * @returns when it has been executed
   * @throws ChainError or an error of the node: the transaction failed and changed nothing
   */
  async send(actions: readonly PlainAction[], keys: readonly string[]): Promise<Executed> {
    const encoded = []
    for (const action of actions) {
      encoded.push(encodeAction(action, await this.abi(action)))
    }
    const chain = withPresentTime(await this.node.get_info())
    const expires_in_s = LEAST_EXPIRATION_S + (this.sent++ % EXPIRATIONS)
    const secrets = [...new Set(keys)].map(privateKeyFromString)
    const transaction = signTransaction(encoded, chain, secrets, expires_in_s)
    return (await this.node.send_transaction2({ transaction })) as Executed
  }

  /** The ABI of an action's contract; empty where none is needed. */
  private async abi({ account, data }: PlainAction): Promise<Uint8Array> {
    if (typeof data === 'string') return new Uint8Array(0)
    const { abi = '' } = await this.node.get_raw_abi({ account_name: account })
    return fromBase64(abi)
  }
}

/** The head of a chain that stood still is old, but the next block has the present time. */
function withPresentTime(chain: SigningChain): SigningChain {
  const { head_block_time } = chain
  const now = new Date().toISOString().slice(0, head_block_time.length)
  return now > head_block_time ? { ...chain, head_block_time: now } : chain
}
