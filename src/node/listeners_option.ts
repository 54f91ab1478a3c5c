import { BY_CATEGORY } from '../options/http_options.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import {
  CATEGORIES,
  CONTROL,
  EVERYWHERE,
  LOCAL,
  isLoopback,
  type Category,
  type ListenerOptions,
} from '../server/index.ts'
import { parseAddress } from '../engine/options/address.ts'
import { pluginOf, servedCategories } from './plugin_categories.ts'

const WITH_ADDRESS = CATEGORIES.filter((name) => !EVERYWHERE.includes(name))

/**
 * The addresses to listen on, and the categories that each serves.
 * @param folder the base of relative socket paths
 * @throws OptionError for every wrong value
 */
export function listenersOf(values: OptionValues, folder: string): ListenerOptions[] {
  const served = servedCategories(values)
  const listeners: ListenerOptions[] = []
  const everything = (option: string, text: string): void => {
    const address = parseAddress(option, text, folder)
    const is_asked_for = values.isGiven('plugin') || isLoopback(address)
    const is_local = isLoopback(address)
    const categories = [...served].filter(
      (name) => (is_asked_for || !CONTROL.includes(name)) && (is_local || !LOCAL.includes(name)),
    )
    listeners.push({ address, option: `${option} ${text}`, categories: new Set(categories) })
  }
  const address = values.text('http-server-address')
  const by_category = categoryAddresses(values.list('http-category-address'), served, folder)
  if (by_category.size > 0 && address !== BY_CATEGORY) {
    throw new OptionError(`http-category-address needs --http-server-address=${BY_CATEGORY}`)
  }
  if (address && address !== BY_CATEGORY) everything('http-server-address', address)
  for (const [text, categories] of by_category) {
    const option = `http-category-address ${text}`
    listeners.push({
      address: parseAddress('http-category-address', text, folder),
      option,
      categories,
    })
  }
  const socket = values.text('unix-socket-path')
  if (socket) everything('unix-socket-path', /^(\/|\.)/.test(socket) ? socket : `./${socket}`)
  checkPorts(listeners)
  return served.size === 0 ? [] : listeners
}

/** `category,address` values as address -> categories; one address may serve several categories. */
function categoryAddresses(
  values: readonly string[],
  served: ReadonlySet<Category>,
  folder: string,
): Map<string, Set<Category>> {
  const found = new Map<string, Set<Category>>()
  for (const value of values) {
    const comma = value.indexOf(',')
    const category = value.slice(0, comma) as Category
    if (comma < 0 || !WITH_ADDRESS.includes(category)) {
      throw new OptionError(
        `http-category-address "${value}": write CATEGORY,ADDRESS; categories: ` +
          WITH_ADDRESS.join(', '),
      )
    }
    if (!served.has(category)) {
      throw new OptionError(
        `--plugin=${pluginOf(category)} is required for --http-category-address=${value}`,
      )
    }
    const address = value.slice(comma + 1)
    if (
      LOCAL.includes(category) &&
      !isLoopback(parseAddress('http-category-address', address, folder))
    ) {
      throw new OptionError(
        `http-category-address "${value}": ${category} is served only on loopback addresses, such as 127.0.0.1:8888`,
      )
    }
    const everywhere = EVERYWHERE.filter((name) => served.has(name))
    const categories = found.get(address) ?? new Set(everywhere)
    found.set(address, categories.add(category))
  }
  return found
}

/** One port with two host names is an error, as in the reference, even if both are this machine. */
function checkPorts(listeners: readonly ListenerOptions[]): void {
  const hosts = new Map<number, string>()
  for (const { address } of listeners) {
    if ('path' in address || address.port === 0) continue
    const other = hosts.get(address.port)
    if (other !== undefined) {
      throw new OptionError(`port ${address.port} is given twice: ${other}, ${address.host}`)
    }
    hosts.set(address.port, address.host)
  }
}
