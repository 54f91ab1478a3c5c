import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { packAbi, unpackAbi } from '../../../src/engine/abi/abi_binary.ts'
import { abiFromJson } from '../../../src/engine/abi/abi_json.ts'
import { compileAbi } from '../../../src/engine/abi/compiled_abi.ts'
import { fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import { nameFromString } from '../../../src/engine/protocol/name.ts'

interface Recorded {
  abi: unknown
  type: string
  rows: { hex: string; json: Record<string, unknown> }[]
}

const fixture = new URL('./fixtures/every_type.json', import.meta.url)
const recorded = JSON.parse(readFileSync(fixture, 'utf8')) as Recorded

describe('abi: rows that a reference node stored and printed', () => {
  const abi = compileAbi(abiFromJson(recorded.abi))

  it('reads every type into the same text', () => {
    for (const { hex, json } of recorded.rows) {
      expect(JSON.stringify(abi.decode(recorded.type, fromHex(hex)))).to.equal(JSON.stringify(json))
    }
  })

  it('writes the same bytes from that text', () => {
    // Text holds milliseconds and 17 decimals; rows with more in them cannot come back exactly.
    const { hex, json } = recorded.rows[0]!
    expect(toHex(abi.encode(recorded.type, json))).to.equal(hex)
    // Nor can times that 32 bits of seconds do not hold.
    const inRange = recorded.rows.filter(
      ({ json }) => String(json['tp']) < '2106' && json['tp'] !== '-000000.000001',
    )
    for (const { json } of inRange) {
      expect(abi.decode(recorded.type, abi.encode(recorded.type, json))).to.deep.equal(json)
    }
  })

  it('knows the document itself after packing and unpacking', () => {
    const def = abiFromJson(recorded.abi)
    expect(unpackAbi(packAbi(def))).to.deep.equal(def)
    expect(abi.tableType(nameFromString('rows'))).to.equal('row')
    expect(abi.actionType(nameFromString('run'))).to.equal('run')
    expect(abi.actionResultType(nameFromString('run'))).to.equal('uint16')
    expect(abi.errorMessage(8000000000000000000n)).to.equal('a known error code')
    expect(abi.tableType(nameFromString('nope'))).to.equal(undefined)
  })
})
