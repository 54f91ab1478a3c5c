import { fail } from '../errors.ts'
import type { Asset } from '../protocol/asset.ts'
import { assetFromString, assetToString, packAsset, unpackAsset } from '../protocol/asset.ts'
import { toHex } from '../protocol/hex.ts'
import {
  publicKeyFromString,
  publicKeyToString,
  readPublicKey,
  readSignature,
  signatureFromString,
  signatureToString,
} from '../protocol/key.ts'
import { nameFromString, nameToString } from '../protocol/name.ts'
import {
  checkSymbol,
  symbolCodeFromString,
  symbolCodeToString,
  symbolFromString,
  symbolToString,
} from '../protocol/symbol.ts'
import {
  parseBlockTimestamp,
  parseWideTimePoint,
  parseTimePointSec,
  slotToString,
  timePointSecToString,
  timePointToString,
} from '../protocol/time.ts'
import type { AbiContext } from './abi_path.ts'
import type { Builtin } from './abi_path.ts'
import {
  KEY_COST,
  SIGNATURE_COST,
  SLOW_VALUE_COST,
  WIDE_VALUE_COST,
  longKeyCost,
} from './conversion_budget.ts'
import { bytesFromJson, hashFromJson } from './hex_bytes.ts'
import { bytesToText } from '../protocol/text.ts'
import { asArray, asObject, asString, strictString } from './lenient_json.ts'

const hash = (size: number): Builtin => ({
  read: (r) => toHex(r.bytes(size)),
  write: (v, w) => w.raw(hashFromJson(v, size)),
  cost: WIDE_VALUE_COST,
})

interface ExtendedAsset {
  quantity: Asset
  contract: bigint
}

/** A key or signature, or its text, whose length is paid for: WebAuthn sets no limit to it. */
function paid<T extends { length: number }>(key: T, c: AbiContext): T {
  c.step(longKeyCost(key.length))
  return key
}

/** An object, or the pair of its values. */
function extendedAssetFromJson(value: unknown): ExtendedAsset {
  const [quantity, contract] = Array.isArray(value)
    ? asArray(value)
    : ['quantity', 'contract'].map((key) => member(asObject(value), key))
  return {
    quantity: assetFromString(strictString(quantity)),
    contract: nameFromString(strictString(contract)),
  }
}

function member(object: Record<string, unknown>, key: string): unknown {
  if (!Object.hasOwn(object, key)) return fail('key_not_found_exception', `Key ${key}`)
  return object[key]
}

/** Names, times, tokens, keys, hashes, text and bytes. */
export const CHAIN_TYPES: Readonly<Record<string, Builtin>> = {
  time_point: {
    read: (r) => timePointToString(r.i64()),
    write: (v, w) => w.i64(parseWideTimePoint(asString(v))),
    cost: SLOW_VALUE_COST,
  },
  time_point_sec: {
    read: (r) => timePointSecToString(r.u32()),
    write: (v, w) => w.u32(parseTimePointSec(asString(v))),
    cost: SLOW_VALUE_COST,
  },
  block_timestamp_type: {
    read: (r) => slotToString(r.u32()),
    write: (v, w) => w.u32(parseBlockTimestamp(asString(v))),
    cost: SLOW_VALUE_COST,
  },
  name: {
    read: (r) => nameToString(r.name()),
    write: (v, w) => w.name(nameFromString(strictString(v))),
  },
  bytes: { read: (r) => toHex(r.blob()), write: (v, w) => w.blob(bytesFromJson(v)) },
  string: { read: (r) => bytesToText(r.blob()), write: (v, w) => w.string(asString(v)) },
  checksum160: hash(20),
  checksum256: hash(32),
  checksum512: hash(64),
  public_key: {
    read: (r, c) => publicKeyToString(paid(readPublicKey(r), c)),
    write: (v, w, c) => w.raw(publicKeyFromString(paid(asString(v), c))),
    cost: KEY_COST,
  },
  signature: {
    read: (r, c) => signatureToString(paid(readSignature(r), c)),
    write: (v, w, c) => w.raw(signatureFromString(paid(asString(v), c))),
    cost: SIGNATURE_COST,
  },
  symbol: {
    read: (r) => symbolToString(checkSymbol(r.u64())),
    write: (v, w) => w.u64(symbolFromString(strictString(v))),
    cost: WIDE_VALUE_COST,
  },
  symbol_code: {
    // The reference converts it to a symbol, which has no space for the last byte.
    read: (r) => symbolCodeToString(checkSymbol(BigInt.asUintN(64, r.u64() << 8n)) >> 8n),
    write: (v, w) => w.u64(symbolCodeFromString(strictString(v))),
    cost: WIDE_VALUE_COST,
  },
  asset: {
    read: (r) => assetToString(unpackAsset(r)),
    write: (v, w) => packAsset(w, assetFromString(strictString(v))),
    cost: SLOW_VALUE_COST,
  },
  extended_asset: {
    read: (r) => ({
      quantity: assetToString(unpackAsset(r)),
      contract: nameToString(r.name()),
    }),
    write: (v, w) => {
      const { quantity, contract } = extendedAssetFromJson(v)
      packAsset(w, quantity)
      w.name(contract)
    },
    cost: SLOW_VALUE_COST,
  },
}
