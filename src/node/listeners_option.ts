import { OptionError, type OptionValues } from '../options/parse.ts'
import { CATEGORIES, type Category, type ListenerOptions } from '../server/server_options.ts'
import { parseAddress } from './address.ts'

/** The value of http-server-address that leaves everything to http-category-address. */
const BY_CATEGORY = 'http-category-address'

/** Which addresses are listened on, and what each of them serves. */
export function listenersOf(values: OptionValues, folder: string): ListenerOptions[] {
  const everything: ReadonlySet<Category> = new Set(CATEGORIES)
  const listeners: ListenerOptions[] = []
  const address = values.text('http-server-address')
  const by_category = categoryAddresses(values.list('http-category-address'))
  if (by_category.size > 0 && address !== BY_CATEGORY) {
    throw new OptionError(`http-category-address needs --http-server-address=${BY_CATEGORY}`)
  }
  if (address && address !== BY_CATEGORY) {
    listeners.push({ address: parseAddress(address, folder), categories: everything })
  }
  for (const [text, categories] of by_category) {
    listeners.push({ address: parseAddress(text, folder), categories })
  }
  const socket = values.text('unix-socket-path')
  if (socket) {
    const path = /^(\/|\.)/.test(socket) ? socket : `./${socket}`
    listeners.push({ address: parseAddress(path, folder), categories: everything })
  }
  checkPorts(listeners)
  return listeners
}

/** `category,address` values as address -> categories; one address may serve several categories. */
function categoryAddresses(values: readonly string[]): Map<string, Set<Category>> {
  const found = new Map<string, Set<Category>>()
  for (const value of values) {
    const comma = value.indexOf(',')
    const category = value.slice(0, comma) as Category
    if (comma < 0 || category === 'node' || !CATEGORIES.includes(category)) {
      const known = CATEGORIES.filter((name) => name !== 'node').join(', ')
      throw new OptionError(
        `http-category-address "${value}": write CATEGORY,ADDRESS; categories: ${known}`,
      )
    }
    const address = value.slice(comma + 1)
    const categories = found.get(address) ?? new Set<Category>(['node'])
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
      throw new OptionError(`port ${address.port} is asked for twice: ${other}, ${address.host}`)
    }
    hosts.set(address.port, address.host)
  }
}
