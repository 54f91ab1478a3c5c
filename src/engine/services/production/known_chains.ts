import { chainId } from '../../crypto/digests.ts'
import { defaultGenesis } from '../../protocol/genesis.ts'
import { toHex } from '../../protocol/hex.ts'

/**
 * Public Antelope chains by their id in hexadecimal, and the chain that a node without a genesis
 * starts.
 */
export const KNOWN_CHAINS: ReadonlyMap<string, string> = new Map([
  [toHex(chainId(defaultGenesis())), 'a chain with the default genesis'],
  ['aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906', 'Vaulta (EOS)'],
  ['73e4385a2708e6d7048834fbc1079f2fabb17b3c125b146af438971e90716c4d', 'Jungle 4'],
  ['1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aea5a4', 'WAX'],
  ['f16b1833c747c43682f4386fca9cbb327929334a762755ebec17f6f23c9b8a12', 'the WAX testnet'],
  ['4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11', 'Telos'],
  ['1eaa0824707c8c16bd25145493bf062aecddfeb56c736f6ba6397f3195f33c9f', 'the Telos testnet'],
  ['384da888112027f0321850a169f737c33e53b388aad48b5adace4bab97f437e0', 'XPR'],
  ['71ee83bcf52142d61019d95f9cc5427ba6a0d7ff8accd9e2088ae2abeaf3d3dd', 'the XPR testnet'],
  ['21dcae42c0182200e93f954a074011f9048a7624c6fe81d3c9541a614a88bd1c', 'FIO'],
])
