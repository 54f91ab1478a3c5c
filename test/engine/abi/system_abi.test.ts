import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { unpackAbi } from '../../../src/engine/abi/abi_binary.ts'
import { compileAbi } from '../../../src/engine/abi/compiled_abi.ts'
import { SYSTEM_ABI, SYSTEM_ABI_BYTES } from '../../../src/engine/abi/system_abi.ts'
import { fromHex } from '../../../src/engine/protocol/hex.ts'

describe('abi: the ABI of eosio at genesis', () => {
  it('has the bytes that the reference stores', () => {
    expect(SYSTEM_ABI_BYTES.length).to.equal(2132)
    // sha256 of spring: libraries/chain/eosio_contract_abi_bin.cpp
    expect(createHash('sha256').update(SYSTEM_ABI_BYTES).digest('hex')).to.equal(
      'ae67fd3b82d11a374330c96910014c0873af19696df619c669748f2173098e5d',
    )
    expect(unpackAbi(SYSTEM_ABI_BYTES)).to.deep.equal(SYSTEM_ABI)
  })

  it('reads a native action', () => {
    const data = fromHex('0000000000855c3400000000a8ed3232')
    expect(compileAbi(SYSTEM_ABI).decode('deleteauth', data)).to.deep.equal({
      account: 'alice',
      permission: 'active',
    })
  })
})
