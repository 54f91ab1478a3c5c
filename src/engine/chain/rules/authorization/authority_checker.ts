import { bytesEqual } from '../../../protocol/hex.ts'
import { comparePublicKeys } from '../../../protocol/key.ts'
import { comparePermissionLevels } from '../../../protocol/authority.ts'
import type { Authority, PermissionLevel } from '../../../protocol/authority.ts'

/** Finds the authority of a permission; undefined if it does not exist or has an empty name. */
export type AuthorityLookup = (level: PermissionLevel) => Authority | undefined

/** The keys and permissions that can satisfy authorities, and the limits of the search. */
export interface ProvidedFactors {
  /** Packed public keys, each once, in {@link keySet} order. */
  keys: readonly Uint8Array[]
  /**
   * Permissions that count as satisfied. An empty permission name means all permissions of the
   * actor.
   */
  permissions?: readonly PermissionLevel[]
  /** Microseconds; Infinity satisfies every wait. */
  delay_us?: number
  /** Chain parameter max_authority_depth. */
  depth_limit: number
}

type Status = 'being_evaluated' | 'unsatisfied' | 'satisfied'

/**
 * Decides whether keys, permissions and a delay satisfy authorities, and remembers which keys were
 * needed for it (spring: authority_checker.hpp).
 *
 * Of an authority's factors the heaviest count first; of equal weight waits come before keys and
 * keys before accounts. That order decides which keys count as used. A permission that is reached
 * again while it is being evaluated (a cycle) counts as not satisfied, and each permission is
 * evaluated once per question, at the depth where it is met first.
 */
export class AuthorityChecker {
  private readonly lookup: AuthorityLookup
  private readonly keys: readonly Uint8Array[]
  private readonly permissions: readonly PermissionLevel[]
  private readonly depth_limit: number
  private delay_us: number
  private used: boolean[]

  constructor(lookup: AuthorityLookup, factors: ProvidedFactors) {
    this.lookup = lookup
    this.keys = factors.keys
    this.permissions = factors.permissions ?? []
    this.depth_limit = factors.depth_limit
    this.delay_us = factors.delay_us ?? 0
    this.used = factors.keys.map(() => false)
  }

  /** Whether the permission is satisfied, under `delay_us` instead of the provided delay if given. */
  satisfied(level: PermissionLevel, delay_us = this.delay_us): boolean {
    const provided = this.delay_us
    this.delay_us = delay_us
    const result = this.permissions.length === 0 ? this.satisfiedAlone(level) : undefined
    const answer = result ?? this.permissionSatisfied(level, this.newCache(), 0)
    this.delay_us = provided
    return answer
  }

  /** The common case, an authority that names no other: nothing needs to be cached. */
  private satisfiedAlone(level: PermissionLevel): boolean | undefined {
    if (this.depth_limit === 0) return false
    const authority = this.lookup(level)
    if (authority === undefined) return false
    if (authority.accounts.length > 0) return undefined
    return this.authoritySatisfied(authority, NO_CACHE, 1)
  }

  private newCache(): Map<string, Status> {
    const cache = new Map<string, Status>()
    for (const permission of this.permissions) cache.set(levelKey(permission), 'satisfied')
    return cache
  }

  /** Whether each provided key was needed for an authority that was satisfied. */
  allKeysUsed(): boolean {
    return this.used.every(Boolean)
  }

  /** The provided keys that satisfied authorities needed, packed. */
  usedKeys(): Uint8Array[] {
    return this.keys.filter((_key, i) => this.used[i])
  }

  /** The provided keys that no satisfied authority needed, packed. */
  unusedKeys(): Uint8Array[] {
    return this.keys.filter((_key, i) => !this.used[i])
  }

  private authoritySatisfied(authority: Authority, cache: Map<string, Status>, depth: number) {
    const used_before = this.used.slice()
    let weight = 0
    for (const factor of byWeight(authority)) {
      if (this.factorSatisfied(authority, factor, cache, depth)) weight += factor.weight
      // Asked after every factor, so an authority without factors is never satisfied.
      if (weight >= authority.threshold) return true
    }
    this.used = used_before
    return false
  }

  private factorSatisfied(
    authority: Authority,
    factor: Factor,
    cache: Map<string, Status>,
    depth: number,
  ): boolean {
    if (factor.kind === WAIT) return this.delay_us >= authority.waits[factor.index]!.wait_sec * 1e6
    if (factor.kind === ACCOUNT) {
      return this.permissionSatisfied(authority.accounts[factor.index]!.permission, cache, depth)
    }
    const { key } = authority.keys[factor.index]!
    const at = this.keys.findIndex((provided) => bytesEqual(provided, key))
    if (at >= 0) this.used[at] = true
    return at >= 0
  }

  private permissionSatisfied(level: PermissionLevel, cache: Map<string, Status>, depth: number) {
    const key = levelKey(level)
    const known = cache.get(key) ?? cache.get(levelKey({ actor: level.actor, permission: 0n }))
    if (known !== undefined) return known === 'satisfied'
    if (depth >= this.depth_limit) return false
    const authority = this.lookup(level)
    if (authority === undefined) return false
    cache.set(key, 'being_evaluated')
    const result = this.authoritySatisfied(authority, cache, depth + 1)
    cache.set(key, result ? 'satisfied' : 'unsatisfied')
    return result
  }
}

/** Keys in order, each once. */
export function keySet(keys: readonly Uint8Array[], checktime?: () => void): Uint8Array[] {
  return unique(keys, comparePublicKeys, checktime)
}

/** Permission levels in order, each once. */
export function levelSet(
  levels: readonly PermissionLevel[],
  checktime?: () => void,
): PermissionLevel[] {
  return unique(levels, comparePermissionLevels, checktime)
}

/** Number of comparisons between two checks of the clock. */
const COMPARISONS = 1024

function unique<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  checktime?: () => void,
): T[] {
  let count = 0
  const sorted = [...items].sort((a, b) => {
    if (++count % COMPARISONS === 0) checktime?.()
    return compare(a, b)
  })
  return sorted.filter((item, i) => i === 0 || compare(sorted[i - 1]!, item) !== 0)
}

const NO_CACHE = new Map<string, Status>()

const ACCOUNT = 1
const KEY = 2
const WAIT = 3

interface Factor {
  weight: number
  kind: typeof ACCOUNT | typeof KEY | typeof WAIT
  index: number
}

function byWeight(authority: Authority): Factor[] {
  const [only] = authority.keys
  if (only && authority.keys.length + authority.accounts.length + authority.waits.length === 1) {
    return [{ weight: only.weight, kind: KEY, index: 0 }]
  }
  const factors: Factor[] = [
    ...authority.accounts.map(({ weight }, index) => ({ weight, kind: ACCOUNT, index }) as const),
    ...authority.keys.map(({ weight }, index) => ({ weight, kind: KEY, index }) as const),
    ...authority.waits.map(({ weight }, index) => ({ weight, kind: WAIT, index }) as const),
  ]
  // Stable: equal factors keep the order of the authority.
  return factors.sort((a, b) => b.weight - a.weight || b.kind - a.kind)
}

/** A permission level as a key of maps. */
export function levelKey(level: PermissionLevel): string {
  return `${level.actor} ${level.permission}`
}
