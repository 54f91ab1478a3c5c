import type { RequestListener } from 'node:http'

/** A listener that is made when it is needed, or before. */
export interface LateListener {
  listener: RequestListener
  /** Makes it now. */
  make: () => Promise<void>
}

/** Requests that arrive before the listener is made wait for it. */
export function lateListener(make: () => Promise<RequestListener>): LateListener {
  let made: RequestListener | undefined
  let making: Promise<void> | undefined
  const ready = (): Promise<void> =>
    (making ??= make().then((listener) => {
      made = listener
    }))
  return {
    make: ready,
    listener: (request, response) => {
      if (made) return made(request, response)
      void ready().then(() => made!(request, response))
    },
  }
}
