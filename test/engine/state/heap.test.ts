import { expect } from 'chai'
import fc from 'fast-check'
import { Heap } from '../../../src/engine/state/heap.ts'
import { SharedMemory } from '../../../src/engine/state/shared_memory.ts'

const size = fc.oneof(
  fc.integer({ min: 4, max: 700 }),
  fc.integer({ min: 4, max: 300_000 }),
  // Around the largest class, and blocks with a chunk of their own.
  fc.constantFrom(4, 8, 9, 512, 513, 520, 576, 577, 262_143, 262_144, 262_145, 2_000_000),
)

describe('state: heap', () => {
  it('keeps blocks apart, whatever is allocated and freed', () => {
    const step = fc.record({ size, free: fc.boolean(), pick: fc.nat() })
    const property = fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      const heap = new Heap(new SharedMemory())
      const blocks: { address: number; size: number; mark: number }[] = []
      let mark = 0
      const check = (block: (typeof blocks)[number]) => {
        expect(heap.size(block.address)).equal(block.size)
        const bytes = heap.view(block.address, 4)
        expect(bytes.length).equal(block.size - 4)
        expect(Buffer.compare(bytes, Buffer.alloc(bytes.length, block.mark))).equal(0)
      }
      for (const { size, free, pick } of steps) {
        if (free && blocks.length > 0) {
          const [block] = blocks.splice(pick % blocks.length, 1)
          check(block!)
          heap.free(block!.address)
        } else {
          mark = (mark + 1) % 256
          const block = { address: heap.alloc(size), size, mark }
          heap.view(block.address, 4).fill(mark)
          blocks.push(block)
        }
      }
      blocks.forEach(check)
    })
    fc.assert(property, { numRuns: 40 })
  })

  it('uses freed blocks again', () => {
    const heap = new Heap(new SharedMemory())
    for (const bytes of [40, 1000, 100_000, 5_000_000]) {
      const first = heap.alloc(bytes)
      const { capacity } = heap
      for (let i = 0; i < 100; i++) {
        heap.free(i === 0 ? first : heap.alloc(bytes))
      }
      expect(heap.capacity).most(capacity)
    }
  })

  it('wastes at most an eighth of blocks beyond 512 bytes, and nothing of smaller ones', () => {
    for (const [bytes, most] of [
      [40, 1],
      [512, 1],
      [520, 1.125],
      [1032, 1.125],
      [4104, 1.125],
    ] as const) {
      const heap = new Heap(new SharedMemory())
      const count = Math.ceil(2 ** 24 / bytes)
      for (let i = 0; i < count; i++) heap.alloc(bytes)
      // Each chunk has less than a block at its end, and the last one is not full.
      const chunks = Math.ceil(heap.capacity / 2 ** 20)
      expect(heap.capacity, `${bytes} bytes`).most(
        count * bytes * most + chunks * 2 * bytes + 2 ** 20,
      )
    }
  })

  it('knows when a block has the right capacity for another size', () => {
    const heap = new Heap(new SharedMemory())
    for (let bytes = 4; bytes < 3000; bytes++) {
      const address = heap.alloc(bytes)
      expect(heap.fits(address, bytes)).equal(true)
      expect(heap.fits(address, bytes * 2 + 8)).equal(false)
      expect(heap.fits(address, bytes + 1) || bytes % 8 === 0 || bytes > 512).equal(true)
      heap.free(address)
    }
    const huge = heap.alloc(1_000_000)
    expect(heap.fits(huge, 1_000_001)).equal(false)
    expect(heap.fits(huge, 100)).equal(false)
    expect(heap.fits(heap.alloc(100), 1_000_000)).equal(false)
  })
})
