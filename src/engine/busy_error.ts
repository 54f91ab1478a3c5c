/** The node has enough to do: the request may be made again later. */
export class BusyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BusyError'
  }
}
