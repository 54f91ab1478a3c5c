import type { PermissionLevelJson } from '../abi/action_json.ts'
import { permissionLevelToJson } from '../abi/action_json.ts'
import type { Authority, KeyWeight } from '../protocol/authority.ts'
import { publicKeyToString } from '../protocol/key.ts'
import { nameToString } from '../protocol/name.ts'
import type {
  BlockSigningAuthority,
  ProducerAuthority,
  ProducerAuthoritySchedule,
  ProducerScheduleLegacy,
} from '../protocol/schedule.ts'

/** A key and its weight in an authority. */
export interface KeyWeightJson {
  key: string
  weight: number
}

/** An authority. */
export interface AuthorityJson {
  threshold: number
  keys: KeyWeightJson[]
  accounts: { permission: PermissionLevelJson; weight: number }[]
  waits: { wait_sec: number; weight: number }[]
}

/** A variant of one kind so far. */
export type BlockSigningAuthorityJson = [0, { threshold: number; keys: KeyWeightJson[] }]

/** A producer of a schedule. */
export interface ProducerAuthorityJson {
  producer_name: string
  authority: BlockSigningAuthorityJson
}

/** A producer schedule with signing authorities as JSON. */
export interface ProducerAuthorityScheduleJson {
  version: number
  producers: ProducerAuthorityJson[]
}

/** A producer schedule with one key for each producer as JSON. */
export interface ProducerScheduleLegacyJson {
  version: number
  producers: { producer_name: string; block_signing_key: string }[]
}

const key_texts = new WeakMap<Uint8Array, string>()

/** The text of a key of an authority, which is made once for each array: nothing changes such keys in place. */
function keyText(key: Uint8Array): string {
  let text = key_texts.get(key)
  if (text === undefined) key_texts.set(key, (text = publicKeyToString(key)))
  return text
}

/** A public key with its weight as JSON. */
export function keyWeightToJson({ key, weight }: KeyWeight): KeyWeightJson {
  return { key: keyText(key), weight }
}

/** An authority as JSON: threshold, keys, accounts and waits. */
export function authorityToJson(authority: Authority): AuthorityJson {
  return {
    threshold: authority.threshold,
    keys: authority.keys.map(keyWeightToJson),
    accounts: authority.accounts.map(({ permission, weight }) => ({
      permission: permissionLevelToJson(permission),
      weight,
    })),
    waits: authority.waits.map(({ wait_sec, weight }) => ({ wait_sec, weight })),
  }
}

/** A block signing authority as JSON: a pair of variant index and value. */
export function blockSigningAuthorityToJson([
  kind,
  authority,
]: BlockSigningAuthority): BlockSigningAuthorityJson {
  return [kind, { threshold: authority.threshold, keys: authority.keys.map(keyWeightToJson) }]
}

/** A producer of a schedule as JSON: its name and its signing authority. */
export function producerAuthorityToJson(producer: ProducerAuthority): ProducerAuthorityJson {
  return {
    producer_name: nameToString(producer.producer_name),
    authority: blockSigningAuthorityToJson(producer.authority),
  }
}

/** A producer schedule as JSON: version and producers. */
export function producerAuthorityScheduleToJson(
  schedule: ProducerAuthoritySchedule,
): ProducerAuthorityScheduleJson {
  return { version: schedule.version, producers: schedule.producers.map(producerAuthorityToJson) }
}

/**
 * A producer schedule of the form before WTMSIG_BLOCK_SIGNATURES as JSON, with one key for each
 * producer.
 */
export function producerScheduleLegacyToJson(
  schedule: ProducerScheduleLegacy,
): ProducerScheduleLegacyJson {
  return {
    version: schedule.version,
    producers: schedule.producers.map((producer) => ({
      producer_name: nameToString(producer.producer_name),
      block_signing_key: publicKeyToString(producer.block_signing_key),
    })),
  }
}
