import { promises as dns } from 'node:dns'
import { createServer, type Server, type Socket } from 'node:net'
import type { ListenerOptions } from './network_options.ts'

/** Waits for connections of other nodes. */
export class Listeners {
  private readonly servers: Server[] = []

  /**
   * Opens all addresses; of a name that has several, those that this machine has.
   * spring: libraries/libfc/include/fc/network/listener.hpp (create_listener)
   * @param onFailure called for each address that cannot be opened of a name of which another one is
   * @throws Error of the system for an address or a name that cannot be opened; then none is open
   */
  async open(
    listeners: readonly ListenerOptions[],
    onSocket: (socket: Socket, listener: ListenerOptions) => void,
    onFailure: (address: string, error: Error) => void = () => {},
  ): Promise<void> {
    try {
      for (const listener of listeners) {
        await this.openName(listener, (socket) => onSocket(socket, listener), onFailure)
      }
    } catch (error) {
      await this.close()
      throw error
    }
  }

  private async openName(
    { address: { host, port } }: ListenerOptions,
    onSocket: (socket: Socket) => void,
    onFailure: (address: string, error: Error) => void,
  ): Promise<void> {
    const found = await dns.lookup(host, { all: true })
    const failures: [string, Error][] = []
    for (const { address } of found) {
      const server = createServer(onSocket)
      const failure = await new Promise<Error | undefined>((resolve) => {
        server.once('error', resolve)
        server.listen({ host: address, port: Number(port) }, () => resolve(undefined))
      })
      if (failure === undefined) this.servers.push(server)
      else failures.push([address, failure])
    }
    if (failures.length === found.length) throw failures[0]![1]
    for (const [address, error] of failures) onFailure(address, error)
  }

  /** The addresses that are open, as host and port. */
  addresses(): { host: string; port: number }[] {
    return this.servers.flatMap((server) => {
      const address = server.address()
      if (address === null || typeof address === 'string') return []
      return { host: address.address, port: address.port }
    })
  }

  /** Takes no more connections. Those that are open stay. */
  async close(): Promise<void> {
    const servers = this.servers.splice(0)
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}
