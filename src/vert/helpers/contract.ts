/** A contract as the helpers call it. */
export interface Contract {
  name: { toString(): string }
  actions: {
    [key: string]: (data?: unknown[] | object) => { send(authorization?: string): Promise<unknown> }
  }
}
