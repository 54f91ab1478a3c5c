/** Whether an error of zlib says that the compressed bytes are wrong, and not that the system failed. */
export function isZlibError(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return String(code).startsWith('Z_')
}
