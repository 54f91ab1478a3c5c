/** Tables read page by page by unmodified wharfkit and eosjs, through every kind of index. */
import { Checksum160, Checksum256, Float64, Name, UInt128, UInt64 } from '@wharfkit/antelope'
import { ContractKit } from '@wharfkit/contract'
import { expect } from 'chai'
import { JsonRpc } from 'eosjs'
import { N } from '../../src/engine/protocol/name.ts'
import { doubleToBits, doubleToQuadBits } from '../../src/engine/queries/float_bits.ts'
import { Program } from '../fuzz/program.ts'
import { TestNode } from '../support/test_node.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

const SCOPE = 'pages'
const TABLE = 'points'

interface Index {
  key_type: string
  /** The operation of the probe that stores a row of it, and the bytes of a key. */
  operation: number
  bytes: number
  /** Ascending; as many as rows. */
  keys: bigint[]
  /** What wharfkit takes for `next_key`, where it takes anything. */
  decoded?: new (...args: never[]) => object
}

/** Rows 0 to 8; three have the second key, two the third one. */
const keysOf = (keys: bigint[]): bigint[] => [0, 1, 1, 1, 2, 2, 3, 4, 5].map((i) => keys[i]!)
const small = keysOf([7n, 42n, 77n, 78n, 2n ** 63n, 2n ** 64n - 1n])
const names = keysOf(['1111111.bank', '111111111114', '111111111122', '5', 'alice', 'zz'].map(N))
const wide = keysOf([1n, 77n, 78n, 2n ** 64n, 2n ** 127n, 2n ** 128n - 1n])
const numbers = [-2.5, 0, 1.5, 3, 1e9, 1e10]
/** As many keys as `wide`: the first half of a 256-bit key is the more significant one. */
const hashes = wide

const INDICES: Index[] = [
  { key_type: 'i64', operation: 90, bytes: 8, keys: small, decoded: UInt64 },
  { key_type: 'name', operation: 90, bytes: 8, keys: names, decoded: Name },
  { key_type: 'i128', operation: 91, bytes: 16, keys: wide, decoded: UInt128 },
  { key_type: 'sha256', operation: 94, bytes: 32, keys: hashes, decoded: Checksum256 },
  { key_type: 'ripemd160', operation: 94, bytes: 32, keys: hashes, decoded: Checksum160 },
  { key_type: 'i256', operation: 94, bytes: 32, keys: hashes },
  {
    key_type: 'float64',
    operation: 92,
    bytes: 8,
    keys: keysOf(numbers.map(doubleToBits)),
    decoded: Float64,
  },
  {
    key_type: 'float128',
    operation: 93,
    bytes: 16,
    keys: keysOf(numbers.map(doubleToQuadBits)),
  },
]
const ROWS = small.length
const IDS = Array.from({ length: ROWS }, (_, i) => i)

/** One row of the table, and one in each index; another index has one key for all. */
function program(row: number): string {
  const p = new Program()
  const id = BigInt(row)
  const point = new Program().u32(row).u32(0).done()
  p.u8(80).name(SCOPE).name(TABLE).name('probe').u64(id).bytes(point).u8(0)
  const store = (operation: number, position: number, key: bigint, bytes: number) =>
    p
      .u8(operation)
      .u8(0)
      .name(SCOPE)
      .u64(N(TABLE) | BigInt(position))
      .name('probe')
      .u64(id)
      .wide(key, bytes)
      .u8(0)
  INDICES.forEach(({ operation, bytes, keys }, i) => store(operation, i, keys[row]!, bytes))
  store(90, INDICES.length, 42n, 8)
  return Buffer.from(p.done()).toString('hex')
}

interface Page {
  rows: { x: number }[]
  more: boolean
  next_key: string
  next_page?: string
}

describe('clients: pages', () => {
  let node: TestNode
  let chain: WharfkitChain
  let rpc: JsonRpc
  before(async () => {
    node = await TestNode.start()
    chain = new WharfkitChain(node.url)
    rpc = new JsonRpc(node.url, { fetch })
    await chain.createAccounts('probe')
    await chain.deploy('probe', 'probe')
    for (const row of IDS) await chain.act('probe', 'run', 'probe', { program: program(row) })
  })
  after(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  const where = { code: 'probe', scope: SCOPE, table: TABLE }
  const positionOf = (index: Index) => String(INDICES.indexOf(index) + 2)
  const once = (ids: number[]) => ids.filter((id, i) => ids.indexOf(id) === i)

  for (const index of INDICES) {
    const { key_type, decoded } = index

    if (decoded) {
      it(`the cursor of @wharfkit/contract by ${key_type} has every row`, async () => {
        const kit = new ContractKit({ client: chain.client })
        const table = (await kit.load('probe')).table(TABLE, SCOPE)
        for (const rowsPerAPIRequest of [3, 5]) {
          const cursor = table.query({
            index_position: positionOf(index) as never,
            key_type: key_type as never,
            rowsPerAPIRequest,
          })
          const rows = (await cursor.all()) as unknown as { x: { toNumber(): number } }[]
          expect(once(rows.map(({ x }) => x.toNumber())).sort()).deep.equal(IDS)
        }
      })

      it(`the APIClient of wharfkit by ${key_type}: next_key is a ${decoded.name}`, async () => {
        const { v1 } = chain.client
        const ids: number[] = []
        let lower_bound: unknown
        for (;;) {
          const page = await v1.chain.get_table_rows({
            ...where,
            key_type: key_type as never,
            index_position: positionOf(index) as never,
            limit: 3,
            lower_bound: lower_bound as never,
          })
          ids.push(...(page.rows as { x: number }[]).map(({ x }) => x))
          lower_bound = page.next_key
          if (!page.more) break
          expect(page.next_key).instanceOf(decoded)
        }
        expect(lower_bound).equal(undefined)
        expect(once(ids)).deep.equal(IDS)
      })
    }

    it(`eosjs by ${key_type}, with next_key as the bound, in both directions`, async () => {
      for (const reverse of [false, true]) {
        const ids: number[] = []
        let bound = {}
        for (let more = true; more;) {
          const query = { ...where, json: true, key_type, reverse, limit: 3, ...bound }
          const page = (await rpc.get_table_rows({
            ...query,
            index_position: positionOf(index),
          })) as Page
          ids.push(...page.rows.map(({ x }) => x))
          more = page.more
          // A name is a number in `next_key`, and a bound of digits may be a name, as in the reference.
          const is_name = more && key_type === 'name'
          const key = is_name ? String(Name.from(UInt64.from(page.next_key))) : page.next_key
          bound = { [reverse ? 'upper_bound' : 'lower_bound']: key }
        }
        expect(once(ids).sort()).deep.equal(IDS)
      }
    })

    it(`next_page by ${key_type}: every row once, in both directions`, async () => {
      for (const reverse of [false, true]) {
        const query = { ...where, json: true, key_type, index_position: positionOf(index) }
        const ids = await readByNextPage({ ...query, reverse, limit: 2 })
        expect(ids).deep.equal(reverse ? IDS.toReversed() : IDS)
      }
    })
  }

  async function readByNextPage(query: object): Promise<number[]> {
    const ids: number[] = []
    for (let next_page = ''; ;) {
      const { status, body } = await node.chain('get_table_rows', { ...query, next_page })
      expect(status).equal(200)
      const page = body as Page
      ids.push(...page.rows.map(({ x }) => x))
      if (page.next_page === undefined) return ids
      next_page = page.next_page
    }
  }

  it('rows with one key: wharfkit keeps the page and its key; next_page has every row once', async () => {
    const index_position = String(INDICES.length + 2)
    const page = await chain.client.v1.chain.get_table_rows({
      ...where,
      key_type: 'i64',
      index_position: index_position as never,
      limit: 2,
    })
    expect(page.rows.length).equal(2)
    expect(String(page.next_key)).equal('42')
    const query = { ...where, json: true, key_type: 'i64', index_position }
    expect(await readByNextPage({ ...query, limit: 2 })).deep.equal(IDS)
  })

  it('a malformed next_page is refused with 400, and one of another table', async () => {
    const query = { ...where, json: true, limit: 1 }
    const { body } = await node.chain('get_table_rows', query)
    const { next_page } = body as Page
    const elsewhere = await node.chain('get_table_rows', { ...query, scope: 'other', next_page })
    expect([elsewhere.status, JSON.stringify(elsewhere.body)]).satisfies(
      ([status, text]: [number, string]) => status === 400 && /next_page belongs to/.test(text),
    )
    for (const wrong of ['42:7', 'zz', next_page!.slice(1), `${next_page}00`, 5, {}]) {
      const { status } = await node.chain('get_table_rows', { ...query, next_page: wrong })
      expect(status, JSON.stringify(wrong)).equal(400)
    }
  })
})
