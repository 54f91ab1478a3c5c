/** Resolves after some milliseconds of the system's time. */
export function wait(ms: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(() => resolve(0), ms))
}
