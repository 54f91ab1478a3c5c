/** Where two JSON values differ first, and how; undefined where they do not. The order of fields counts. */
export function firstDifference(ours: unknown, theirs: unknown, path = ''): string | undefined {
  if (!isObject(ours) || !isObject(theirs)) {
    if (ours === theirs) return undefined
    return `${path} is ${JSON.stringify(ours)}, recorded ${JSON.stringify(theirs)}`
  }
  const keys = Object.keys(theirs)
  if (Object.keys(ours).join() !== keys.join()) {
    return `${path} has ${Object.keys(ours).join()}, recorded ${keys.join()}`
  }
  for (const key of keys) {
    const difference = firstDifference(ours[key], theirs[key], `${path}.${key}`)
    if (difference) return difference
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
