/** Forged certificates and votes, over sockets, to a node that follows a chain on Savanna. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { weakDigest } from '../../src/engine/chain/headers/savanna/finality_digest.ts'
import type { BlockState } from '../../src/engine/chain/headers/block_state.ts'
import { blsSign } from '../../src/engine/crypto/bls.ts'
import { blockId } from '../../src/engine/crypto/digests.ts'
import { signDigest } from '../../src/engine/crypto/keys.ts'
import { genesisToJson, systemClock } from '../../src/engine/index.ts'
import {
  packSignedBlockHeader,
  unpackSignedBlock,
  type SignedBlock,
} from '../../src/engine/protocol/block.ts'
import {
  QUORUM_CERTIFICATE_ID,
  extractBlockExtensions,
  extractHeaderExtensions,
  makeBlockExtensions,
  makeHeaderExtensions,
} from '../../src/engine/protocol/block_extension.ts'
import type { QcClaim, QuorumCertificate } from '../../src/engine/protocol/finality.ts'
import { defaultGenesis } from '../../src/engine/protocol/genesis.ts'
import { bytesEqual, concatBytes } from '../../src/engine/protocol/hex.ts'
import { encodeMessage } from '../../src/engine/protocol/net/codec.ts'
import { frame } from '../../src/engine/protocol/net/framing.ts'
import { Reader } from '../../src/engine/protocol/reader.ts'
import type { Vote } from '../../src/engine/protocol/vote.ts'
import { packOne } from '../../src/engine/protocol/writer.ts'
import {
  boot,
  makeBlock,
  openNode,
  type SavannaNode,
} from '../engine/chain/support/savanna_chain.ts'
import { secretOf } from '../engine/chain/support/test_chain.ts'
import { blsKey, blsSecret } from '../engine/chain/voting/support.ts'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'
import { Stranger } from './support/stranger.ts'

/** The finalizers, all of which vote for each block of the chain. */
const SEEDS = [1, 2]
const GENESIS_TIME = '2026-01-01T00:00:00.000'

/** A block that is being forged: its certificate and its claim apart. */
interface Forgery {
  block: SignedBlock
  certificate: QuorumCertificate | undefined
  claim: QcClaim
}

const FORGERIES: Readonly<Record<string, (forgery: Forgery) => void>> = {
  'is signed by no finalizer': ({ certificate }) => {
    certificate!.active_policy_sig.sig = blsSign(blsSecret(9), new Uint8Array(32))
  },
  'has a signature that is not a point': ({ certificate }) => {
    certificate!.active_policy_sig.sig = new Uint8Array(192).fill(0xff)
  },
  'has too few votes': ({ certificate }) => {
    certificate!.active_policy_sig.strong_votes!.blocks[0] = 0b01
  },
  'has votes of finalizers that do not exist': ({ certificate }) => {
    certificate!.active_policy_sig.strong_votes = { size: 3, blocks: Uint8Array.of(0b111) }
  },
  'gives strong votes as weak ones': ({ certificate, claim }) => {
    const { active_policy_sig: votes } = certificate!
    votes.weak_votes = votes.strong_votes!
    delete votes.strong_votes
    claim.is_strong_qc = false
  },
  'is strong where the header says weak': ({ claim }) => (claim.is_strong_qc = false),
  'is of a pending policy that does not exist': ({ certificate }) => {
    certificate!.pending_policy_sig = certificate!.active_policy_sig
  },
  'is of another block': ({ certificate }) => (certificate!.block_num -= 1),
  'is of a block that does not exist': ({ certificate, claim }) => {
    claim.block_num = certificate!.block_num += 100
  },
  'is missing': (forgery) => (forgery.certificate = undefined),
}

describe('forged certificates and votes', () => {
  let folder: string
  let maker: SavannaNode
  let node: TestNode
  const strangers: Stranger[] = []

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pronghorn-forged-'))
    const genesis = {
      ...defaultGenesis(),
      initial_timestamp: Date.parse(`${GENESIS_TIME}Z`) * 1000,
    }
    const file = join(folder, 'genesis.json')
    const json = genesisToJson(defaultGenesis()) as object
    writeFileSync(file, JSON.stringify({ ...json, initial_timestamp: GENESIS_TIME }))
    maker = await openNode(SEEDS, { genesis })
    boot(maker, SEEDS)
    for (let i = 0; i < 6; i++) await makeBlock(maker)
    node = await TestNode.start({
      argv: [
        '--genesis-json',
        file,
        '--p2p-listen-endpoint=127.0.0.1:0',
        '--p2p-max-nodes-per-host=1000',
        '--max-clients=0',
      ],
      clock: systemClock,
    })
    const honest = await welcome()
    const { chain } = maker.test
    for (let num = 2; num <= chain.head.block_num; num++) {
      honest.send(message(chain.packedBlockByNumber(num)!))
    }
    await until('the blocks', () => node.head_block_num === chain.head.block_num)
  })

  afterEach(() => {
    for (const stranger of strangers.splice(0)) stranger.end()
  })

  after(async () => {
    await node.stop()
    await maker.test.chain.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const unpacked = (packed: Uint8Array) => unpackSignedBlock(new Reader(packed.slice()))
  const message = (packed: Uint8Array) =>
    ({ kind: 'signed_block', block: unpacked(packed) }) as const

  /** A stranger whose handshake was answered. */
  async function welcome(): Promise<Stranger> {
    const made = new Stranger(node)
    strangers.push(made)
    made.send(made.handshake())
    await made.message('handshake')
    return made
  }

  /** The node gets a block of the chain. */
  async function give(block: BlockState): Promise<void> {
    const honest = await welcome()
    honest.send(message(block.packed_block))
    await until('the block', () => bytesEqual(node.engine.chain.head.id, block.id))
  }

  it('the certificates of the blocks that are forged are right', () => {
    const { block } = maker.test.head
    expect(extractBlockExtensions(block.block_extensions).quorum_certificate).not.equal(undefined)
    expect(node.engine.chain.last_irreversible.block_num).greaterThan(1)
  })

  it('a block with a certificate that is wrong ends the connection and changes nothing', async () => {
    const before = node.engine.chain.head
    const original = await makeBlock(maker)
    for (const [what, forge] of Object.entries(FORGERIES)) {
      const block = unpacked(original.packed_block)
      const header = extractHeaderExtensions(block.header_extensions)
      const extensions = extractBlockExtensions(block.block_extensions)
      const { finality_extension } = header
      const forgery = {
        block,
        certificate: extensions.quorum_certificate,
        claim: finality_extension!.qc_claim,
      }
      forge(forgery)
      block.header_extensions = makeHeaderExtensions(header)
      const { certificate } = forgery
      block.block_extensions = makeBlockExtensions({
        ...(certificate && { quorum_certificate: certificate }),
      })
      await refused(original, block, what)
    }
    const block = unpacked(original.packed_block)
    block.block_extensions = block.block_extensions.map(([id, data]) =>
      id === QUORUM_CERTIFICATE_ID ? [id, data.subarray(0, 40)] : [id, data],
    )
    await refused(original, block, 'is cut')
    expect(node.engine.chain.head.key).equal(before.key)
    await give(original)
  })

  async function refused(original: BlockState, block: SignedBlock, what: string): Promise<void> {
    const made = await welcome()
    const head = node.engine.chain.head.key
    made.send({ kind: 'signed_block', block: maker.test.resign(original, block) })
    await until(`a certificate that ${what} is refused`, () => made.is_closed)
    expect(node.engine.chain.head.key, what).equal(head)
    expect(node.engine.chain.fork_head.key, what).equal(head)
  }

  it('a block that no producer signed is refused before what it has is hashed, and a large one before it is read', async () => {
    const original = await makeBlock(maker)
    const block = unpacked(original.packed_block)
    block.transaction_mroot = new Uint8Array(32)
    block.producer_signature = signDigest(secretOf(7), blockId(block))
    const header = packOne(packSignedBlockHeader, block)
    const unreadable = concatBytes(Uint8Array.of(7), header, new Uint8Array(100_000).fill(0xff))
    for (const bytes of [unreadable, encodeMessage({ kind: 'signed_block', block })]) {
      const made = await welcome()
      const lines = node.log.length
      made.write(frame(bytes))
      await made.closed()
      expect(node.log.slice(lines).join()).match(/block signed by unexpected key/)
    }
    const unlinkable = unpacked(original.packed_block)
    unlinkable.previous = unlinkable.previous.slice().fill(9, 5)
    const made = await welcome()
    const rest = new Uint8Array(100_000).fill(0xff)
    made.received.length = 0
    await new Promise((resolve) => setTimeout(resolve, 60))
    made.write(
      frame(concatBytes(Uint8Array.of(7), packOne(packSignedBlockHeader, unlinkable), rest)),
    )
    await made.message('handshake')
    expect(made.is_closed).equal(false)
    await give(original)
  })

  /** The votes of the finalizers for the last block, in their order. */
  function votesOn({ id }: BlockState): Vote[] {
    const votes = maker.votes.filter(({ block_id }) => bytesEqual(block_id, id))
    return SEEDS.map((seed) => {
      const own = votes.find(({ finalizer_key }) => bytesEqual(finalizer_key, blsKey(seed)))
      return own!
    })
  }

  const votesAt = (stranger: Stranger): Vote[] =>
    stranger.received.flatMap((received) => (received.kind === 'vote' ? [received.vote] : []))

  it('a forged vote ends the connection, a right one is given to others once', async () => {
    const block = await makeBlock(maker)
    await give(block)
    const [first, second] = votesOn(block)
    const weak = weakDigest(block.savanna!.finality_digest)
    const observer = await welcome()
    const forged: Readonly<Record<string, Vote>> = {
      'of another finalizer': { ...first!, signature: second!.signature },
      'strong, but said to be weak': { ...first!, strong: false },
      'weak, but said to be strong': { ...first!, signature: blsSign(blsSecret(1), weak) },
      'of no finalizer': { ...first!, finalizer_key: blsKey(9) },
      'of a key that is none': { ...first!, finalizer_key: new Uint8Array(96).fill(0xff) },
      'with a signature that is none': { ...first!, signature: new Uint8Array(192).fill(0xff) },
      'with an empty signature': { ...first!, signature: new Uint8Array(192) },
    }
    for (const [what, vote] of Object.entries(forged)) {
      const made = await welcome()
      made.send({ kind: 'vote', vote })
      await until(`a vote ${what} is refused`, () => made.is_closed)
    }
    const honest = await welcome()
    honest.send({ kind: 'vote', vote: first! }, { kind: 'vote', vote: first! })
    await until('the vote', () => votesAt(observer).length > 0)
    const other = await welcome()
    other.send({ kind: 'vote', vote: first! }, { kind: 'vote', vote: second! })
    await until('the other vote', () => votesAt(observer).length > 1)
    expect(votesAt(observer)).deep.equal([first, second])
    expect([honest.is_closed, other.is_closed]).deep.equal([false, false])
  })

  it('a weak vote is given to others as a strong one is', async () => {
    const block = await makeBlock(maker)
    await give(block)
    const [first] = votesOn(block)
    const signature = blsSign(blsSecret(1), weakDigest(block.savanna!.finality_digest))
    const observer = await welcome()
    const honest = await welcome()
    const vote = { ...first!, strong: false, signature }
    honest.send({ kind: 'vote', vote })
    await until('the vote', () => votesAt(observer).length > 0)
    expect(votesAt(observer)).deep.equal([vote])
  })

  it('a vote that comes before its block is given to others when the block comes', async () => {
    const block = await makeBlock(maker)
    const [first, second] = votesOn(block)
    const observer = await welcome()
    const early = await welcome()
    const liar = await welcome()
    early.send({ kind: 'vote', vote: first! })
    liar.send({ kind: 'vote', vote: { ...second!, signature: first!.signature } })
    await until('the votes wait', () => node.engine.services.net.network.votes.size === 2)
    await give(block)
    await until('the vote', () => votesAt(observer).length > 0)
    await liar.closed()
    expect(votesAt(observer)).deep.equal([first])
    expect(early.is_closed).equal(false)
  })
})
