/**
 * The difference of two ordered lists, as headers carry it for policies. The steps are part of
 * consensus: two nodes must find the same difference.
 * spring: libraries/libfc/include/fc/container/ordered_diff.hpp
 */
import { check } from '../../../errors.ts'
import type { OrderedDiff } from '../../../protocol/finality.ts'

/** The changes that turn `source` into `target`. */
export function makeDiff<T>(
  source: readonly T[],
  target: readonly T[],
  same: (a: T, b: T) => boolean,
): OrderedDiff<T> {
  const diff: OrderedDiff<T> = { remove_indexes: [], insert_indexes: [] }
  const remove = (s: number): void => void diff.remove_indexes.push(s)
  const insert = (t: number): void => void diff.insert_indexes.push([t, target[t] as T])
  const equal = (s: number, t: number): boolean =>
    s < source.length && t < target.length && same(source[s] as T, target[t] as T)
  let s = 0
  let t = 0
  while (s < source.length || t < target.length) {
    if (t >= target.length) {
      remove(s++)
    } else if (s >= source.length) {
      insert(t++)
    } else if (equal(s, t)) {
      s += 1
      t += 1
    } else if ((s === source.length - 1 && t === target.length - 1) || equal(s + 1, t + 1)) {
      remove(s++)
      insert(t++)
    } else if (equal(s, t + 1)) {
      insert(t++)
    } else {
      remove(s++)
    }
  }
  return diff
}

/**
 * `source` with a difference applied to it, whose indexes must be in order and in range.
 * @throws ChainError assert_exception
 */
export function applyDiff<T>(source: readonly T[], diff: OrderedDiff<T>): T[] {
  const list = [...source]
  checkAscending('remove_indexes', diff.remove_indexes)
  diff.remove_indexes.forEach((index, i) => {
    check(
      index - i < list.length,
      'assert_exception',
      () => `diff.remove_indexes index ${index} - i ${i} not in range ${list.length}`,
    )
    list.splice(index - i, 1)
  })
  checkAscending(
    'insert_indexes',
    diff.insert_indexes.map(([index]) => index),
  )
  for (const [index, item] of diff.insert_indexes) {
    check(
      index <= list.length,
      'assert_exception',
      () => `diff.insert_indexes index ${index} not in range ${list.length}`,
    )
    list.splice(index, 0, item)
  }
  return list
}

function checkAscending(name: string, indexes: readonly number[]): void {
  indexes.forEach((index, i) => {
    const before = indexes[i - 1]
    check(
      before === undefined || index > before,
      'assert_exception',
      () =>
        `diff.${name} not strictly monotonically increasing: ` +
        `current index ${index}, previous index ${before}`,
    )
  })
}
