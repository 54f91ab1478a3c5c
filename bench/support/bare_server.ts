import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

/** The least that a Node.js server can do: read the body, answer the same bytes. */
export class BareServer {
  readonly url: string
  private readonly worker: Worker

  private constructor(url: string, worker: Worker) {
    this.url = url
    this.worker = worker
  }

  static async start(answer: string): Promise<BareServer> {
    const worker = new Worker(new URL(import.meta.url), { workerData: { answer } })
    const [port] = (await once(worker, 'message')) as [number]
    return new BareServer(`http://127.0.0.1:${port}`, worker)
  }

  async stop(): Promise<void> {
    await this.worker.terminate()
  }
}

if (!isMainThread && typeof (workerData as { answer?: unknown })?.answer === 'string') {
  const { parentPort } = await import('node:worker_threads')
  const { answer } = workerData as { answer: string }
  const server = createServer((request, response) => {
    request.on('data', () => {})
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  parentPort!.postMessage((server.address() as AddressInfo).port)
}
