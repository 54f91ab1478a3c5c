import { DigestList } from '../../../src/engine/crypto/digest_list.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { pairDigest } from '../../../src/engine/crypto/digests.ts'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import {
  IncrementalMerkle,
  IncrementalMerkleLegacy,
  legacyMerkle,
  savannaMerkle,
} from '../../../src/engine/crypto/merkle.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { Writer } from '../../../src/engine/protocol/writer.ts'

const leaves = (n: number): Uint8Array[] =>
  Array.from({ length: n }, (_, i) => sha256(Uint8Array.of(i & 255, i >> 8)))
const ZERO = '00'.repeat(32)

/** The legacy root by its definition: pairs of a level, the last one alone with itself. */
function legacyByDefinition(level: Uint8Array[]): Uint8Array {
  if (level.length === 1) return level[0] as Uint8Array
  const next: Uint8Array[] = []
  for (let i = 0; i < level.length; i += 2) {
    const left = (level[i] as Uint8Array).slice()
    const right = (level[i + 1] ?? (level[i] as Uint8Array)).slice()
    left[0] = (left[0] as number) & 0x7f
    right[0] = (right[0] as number) | 0x80
    next.push(pairDigest(left, right))
  }
  return legacyByDefinition(next)
}

/** The Savanna root by its definition: the greatest power of two on the left. */
function savannaByDefinition(list: Uint8Array[]): Uint8Array {
  if (list.length === 1) return list[0] as Uint8Array
  let middle = 1
  while (middle * 2 < list.length) middle *= 2
  return pairDigest(
    savannaByDefinition(list.slice(0, middle)),
    savannaByDefinition(list.slice(middle)),
  )
}

describe('Merkle roots', () => {
  it('are zeros for nothing, and the digest itself for one', () => {
    expect(toHex(legacyMerkle([]))).to.equal(ZERO)
    expect(toHex(savannaMerkle([]))).to.equal(ZERO)
    const [one] = leaves(1) as [Uint8Array]
    expect(toHex(legacyMerkle([one]))).to.equal(toHex(one))
    expect(toHex(savannaMerkle([one]))).to.equal(toHex(one))
  })

  it('are what their definitions say, and leave the digests alone', () => {
    for (let n = 1; n <= 70; n++) {
      const list = leaves(n)
      expect(toHex(legacyMerkle(list)), `legacy ${n}`).to.equal(toHex(legacyByDefinition(list)))
      expect(toHex(savannaMerkle(list)), `Savanna ${n}`).to.equal(toHex(savannaByDefinition(list)))
      const cut = DigestList.of(list)
      for (const digest of list) cut.pushHashOf(digest)
      cut.cut(n)
      expect(toHex(cut.legacyRoot()), `cut to ${n}`).to.equal(toHex(legacyMerkle(list)))
      expect(list).to.deep.equal(leaves(n))
    }
  })
})

describe('the incremental root since Savanna', () => {
  it('is the root of all digests so far, also of a copy and of what was packed', () => {
    const merkle = new IncrementalMerkle()
    expect(toHex(merkle.root())).to.equal(ZERO)
    const list = leaves(70)
    list.forEach((leaf, i) => {
      const before = merkle.clone()
      merkle.append(leaf)
      const root = toHex(savannaByDefinition(list.slice(0, i + 1)))
      expect(toHex(merkle.root()), `${i + 1}`).to.equal(root)
      const w = new Writer()
      before.pack(w)
      const read = IncrementalMerkle.unpack(new Reader(w.bytes()))
      for (const copy of [before, read]) {
        copy.append(leaf)
        expect(toHex(copy.root()), `copy ${i + 1}`).to.equal(root)
      }
    })
    expect(list).to.deep.equal(leaves(70))
  })

  it('is not read with more digests than can be counted', () => {
    const w = new Writer()
    w.u64(2n ** 53n)
    w.varuint32(0)
    expect(() => IncrementalMerkle.unpack(new Reader(w.bytes()))).to.throw('too many digests')
  })
})

describe('the incremental legacy root', () => {
  it('is the root of all digests so far', () => {
    const merkle = new IncrementalMerkleLegacy()
    expect(toHex(merkle.root())).to.equal(ZERO)
    const list = leaves(130)
    list.forEach((leaf, i) => {
      const root = toHex(merkle.append(leaf))
      expect(root, `${i + 1}`).to.equal(toHex(legacyMerkle(list.slice(0, i + 1))))
      expect(toHex(merkle.root())).to.equal(root)
    })
    // As few nodes as the depth of the tree.
    expect(merkle.active_nodes.length).to.be.lessThan(9)
  })

  it('continues from its packed form and from copies', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 40 }), (a, b) => {
        const list = leaves(a + b)
        const first = new IncrementalMerkleLegacy()
        for (const leaf of list.slice(0, a)) first.append(leaf)
        const w = new Writer()
        first.pack(w)
        const read = IncrementalMerkleLegacy.unpack(new Reader(w.bytes()))
        const copy = first.clone()
        for (const leaf of list.slice(a)) {
          read.append(leaf)
          copy.append(leaf)
        }
        expect(toHex(read.root())).to.equal(toHex(legacyMerkle(list)))
        expect(toHex(copy.root())).to.equal(toHex(read.root()))
        expect(Number(first.node_count)).to.equal(a)
      }),
    )
  })
})
