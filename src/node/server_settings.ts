import { availableParallelism } from 'node:os'
import type { OptionValues } from '../options/parse.ts'
import { isLoopback, type ServerOptions } from '../server/index.ts'
import type { NodeSettings } from './engine_settings.ts'
import { listenersOf } from './listeners_option.ts'
import { switchOr } from '../engine/options/option_text.ts'

/** Processors that a load of submissions uses: the chain's thread, the one that recovers keys, and those of V8. */
const USED_BY_SUBMISSIONS = 2

/** The server's options from the user's.
 *  @throws OptionError for every value that is wrong */
export function serverOptions(
  values: OptionValues,
  { data_dir, development }: Pick<NodeSettings, 'data_dir' | 'development'>,
): ServerOptions {
  const listeners = listenersOf(values, data_dir)
  const for_pages = development && listeners.every(({ address }) => isLoopback(address))
  return {
    listeners,
    cors: corsHeaders(values, for_pages),
    control_origins: controlOrigins(values),
    validate_host: values.bool('http-validate-host'),
    host_aliases: values.list('http-alias'),
    max_body_size: values.integer('max-body-size'),
    max_bytes_in_flight: limit(values.integer('http-max-bytes-in-flight-mb'), 2 ** 20),
    max_requests_in_flight: limit(values.integer('http-max-in-flight-requests'), 1),
    max_connections: values.integer('http-max-connections'),
    request_timeout_ms: values.integer('http-request-timeout-ms'),
    http_threads: httpThreads(values),
    spare_processors: availableParallelism() > USED_BY_SUBMISSIONS,
    keep_alive: values.bool('http-keep-alive'),
    verbose_errors: switchOr(values, 'verbose-http-errors', development),
    validate_responses: values.switch('validate-responses'),
  }
}

/** A processor is left to the chain's thread. */
function httpThreads(values: OptionValues): number {
  if (values.isGiven('http-threads')) return values.integer('http-threads')
  return Math.max(1, availableParallelism() - 1)
}

/**
 * Pages of any origin may use a development chain that only this machine can reach; other nodes
 * need the option.
 */
function corsHeaders(values: OptionValues, for_pages: boolean): Record<string, string> {
  const headers: Record<string, string> = {}
  const set = (name: string, value: string | undefined) => {
    if (value) headers[name] = value
  }
  const origin = values.text('access-control-allow-origin') ?? (for_pages ? '*' : undefined)
  set('access-control-allow-origin', origin)
  const names = values.text('access-control-allow-headers') ?? (for_pages ? '*' : undefined)
  set('access-control-allow-headers', names)
  set('access-control-max-age', values.text('access-control-max-age'))
  if (values.switch('access-control-allow-credentials')) {
    headers['access-control-allow-credentials'] = 'true'
  }
  return headers
}

/** An origin that the operator names for reading answers may control the node too; `*` there is every page. */
function controlOrigins(values: OptionValues): Set<string> {
  const origins = new Set(values.list('http-control-origin'))
  const reader = values.text('access-control-allow-origin')
  if (reader !== undefined && reader !== '*') origins.add(reader)
  return origins
}

/** -1 in an option means no limit. */
function limit(value: number, unit: number): number {
  return value < 0 ? Infinity : value * unit
}
