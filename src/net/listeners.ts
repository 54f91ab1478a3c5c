import { createServer, type Server, type Socket } from 'node:net'
import type { ListenerOptions } from './network_options.ts'

/** Waits for connections of other nodes. */
export class Listeners {
  private readonly servers: Server[] = []

  /**
   * Opens all addresses.
   * @throws Error of the system for an address that cannot be opened; then none is open
   */
  async open(
    listeners: readonly ListenerOptions[],
    onSocket: (socket: Socket, listener: ListenerOptions) => void,
  ): Promise<void> {
    try {
      for (const listener of listeners) {
        const server = createServer((socket) => onSocket(socket, listener))
        const { host, port } = listener.address
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject)
          server.listen({ host, port: Number(port) }, resolve)
        })
        this.servers.push(server)
      }
    } catch (error) {
      await this.close()
      throw error
    }
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
