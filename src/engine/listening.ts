/** Opening of addresses for all servers of the node. */
import { existsSync, lstatSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { dirname } from 'node:path'
import type { Address } from './options/address.ts'

/** An address that cannot be listened on. Its message is for the user; it is printed without a stack. */
export class ListenError extends Error {}

/** Connections that the system keeps until they are accepted; it may keep fewer. The reference asks for as many. */
export const BACKLOG = 4096

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process uses this address',
  EADDRNOTAVAIL: 'this machine does not have this address',
  ENOTFOUND: 'this name has no address',
  EACCES: 'this user may not use it',
}

/**
 * Opens an address; resolves when the server is listening.
 * @param option the option that gave the address, for errors
 * @throws ListenError
 */
export async function listenOn(server: Server, address: Address, option: string): Promise<void> {
  try {
    if ('path' in address) await removeLeftSocket(address.path)
    server.listen({ ...('path' in address ? { path: address.path } : address), backlog: BACKLOG })
    await once(server, 'listening')
  } catch (error) {
    throw listenFailure(error, option)
  }
}

/** The error to throw for one of the system about an address. @param option the option that gave it */
export function listenFailure(error: unknown, option: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const reason = REASONS[code] === undefined ? message : `${REASONS[code]} (${code})`
  return new ListenError(`${option}: cannot listen: ${reason}`, { cause: error })
}

/** Opens an address and closes it again. @throws ListenError */
export async function checkAddress(address: Address, option: string): Promise<void> {
  // The data folder may not exist yet; then no process uses a socket in it.
  if ('path' in address && !existsSync(dirname(address.path))) return
  const server = createServer()
  await listenOn(server, address, option)
  await new Promise((resolve) => server.close(resolve))
}

/**
 * Removes the socket file of a killed node. A socket with a server behind it and any other file are
 * kept; opening the address then fails.
 */
async function removeLeftSocket(path: string): Promise<void> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return
  if (!(await isServed(path))) rmSync(path)
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    const done = (served: boolean) => {
      socket.destroy()
      resolve(served)
    }
    socket.on('connect', () => done(true))
    socket.on('error', () => done(false))
  })
}
