import type { OptionReader } from '../options/option_reader.ts'
import { ACCOUNT_QUERIES } from './account_queries/definition.ts'
import { DATABASE_SIZE } from './database_size/definition.ts'
import { DEV } from './dev/definition.ts'
import { HEALTH } from './health/definition.ts'
import { METRICS } from './metrics/definition.ts'
import { NET } from './net/definition.ts'
import { PRODUCTION } from './production/definition.ts'
import type { AnyService, NodeFacts, RunningServices, SettingsOf } from './service.ts'
import { SNAPSHOTS } from './snapshots/definition.ts'
import { STATE_HISTORY } from './state_history/definition.ts'
import { SUBJECTIVE_BILLING } from './subjective_billing/definition.ts'
import { TRACE_API } from './trace_api/definition.ts'
import { TRANSACTION_LOG } from './transaction_log/definition.ts'
import { TRANSACTION_RETRY } from './transaction_retry/definition.ts'
import { TRANSACTION_STATUS } from './transaction_status/definition.ts'

/**
 * The services of the node. They are opened and started in this order and ended in the reverse order; their
 * subscriptions to an event are called in this order too. A service comes after those that it needs.
 */
export const SERVICES = [
  TRANSACTION_STATUS,
  TRANSACTION_RETRY,
  SUBJECTIVE_BILLING,
  PRODUCTION,
  NET,
  DEV,
  TRANSACTION_LOG,
  SNAPSHOTS,
  ACCOUNT_QUERIES,
  HEALTH,
  STATE_HISTORY,
  TRACE_API,
  DATABASE_SIZE,
  METRICS,
] as const

/** Settings of all services, by name. */
export type ServiceSettings = SettingsOf<typeof SERVICES>

/** The running services by name; undefined for those that are off. */
export type Services = RunningServices<typeof SERVICES>

/** The settings of all services that follow from the options.
 *  @throws OptionError for values that do not go together */
export function serviceSettings(values: OptionReader, node: NodeFacts): ServiceSettings {
  const settings = SERVICES.map((service) => [service.name, service.settings(values, node)])
  return Object.fromEntries(settings) as ServiceSettings
}

/** Checks what no service can do without, before anything on the disk is used.
 *  @throws ListenError for an address that cannot be opened */
export async function checkServices(settings: ServiceSettings): Promise<void> {
  for (const { name, check } of SERVICES as readonly AnyService[]) {
    await check?.(settings[name as keyof ServiceSettings] as never)
  }
}
