import { permissionLevelToJson } from '../abi/action_json.ts'
import type { Json, JsonObject } from '../abi/json.ts'
import type { Authority, KeyWeight } from '../protocol/authority.ts'
import { publicKeyToString } from '../protocol/key.ts'
import { nameToString } from '../protocol/name.ts'
import type {
  BlockSigningAuthority,
  ProducerAuthority,
  ProducerAuthoritySchedule,
  ProducerScheduleLegacy,
} from '../protocol/schedule.ts'

/** `{key, weight}`. */
export function keyWeightToJson({ key, weight }: KeyWeight): JsonObject {
  return { key: publicKeyToString(key), weight }
}

/** `{threshold, keys, accounts, waits}`. */
export function authorityToJson(authority: Authority): JsonObject {
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

/** `[0, {threshold, keys}]`. */
export function blockSigningAuthorityToJson([kind, authority]: BlockSigningAuthority): Json {
  return [kind, { threshold: authority.threshold, keys: authority.keys.map(keyWeightToJson) }]
}

/** `{producer_name, authority}`. */
export function producerAuthorityToJson(producer: ProducerAuthority): JsonObject {
  return {
    producer_name: nameToString(producer.producer_name),
    authority: blockSigningAuthorityToJson(producer.authority),
  }
}

/** `{version, producers: [{producer_name, authority}]}`. */
export function producerAuthorityScheduleToJson(schedule: ProducerAuthoritySchedule): JsonObject {
  return { version: schedule.version, producers: schedule.producers.map(producerAuthorityToJson) }
}

/** `{version, producers: [{producer_name, block_signing_key}]}`. */
export function producerScheduleLegacyToJson(schedule: ProducerScheduleLegacy): JsonObject {
  return {
    version: schedule.version,
    producers: schedule.producers.map((producer) => ({
      producer_name: nameToString(producer.producer_name),
      block_signing_key: publicKeyToString(producer.block_signing_key),
    })),
  }
}
