import { resolve } from 'node:path'
import { OptionError } from './option_error.ts'

/** An address to listen on: a host and a port, or the path of a unix socket. */
export type Address = { host: string; port: number } | { path: string }

/**
 * Reads an address as the reference writes it: `host:port`, `[ipv6]:port`, `:port` for all
 * interfaces, or a unix socket path that starts with `/`, `./` or `../`.
 * @param option the name that errors have
 * @param folder what relative socket paths are relative to
 * @throws OptionError
 */
export function parseAddress(option: string, text: string, folder: string): Address {
  if (/^(\/|\.\/|\.\.\/)/.test(text)) return { path: resolve(folder, text) }
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (!match || port > 65535) {
    throw new OptionError(
      `${option} "${text}" is not an address; write HOST:PORT, [IPV6]:PORT or a socket path`,
    )
  }
  return { host: match[1] ?? (match[2] || '::'), port }
}
