import type { ChainEvents } from './chain_options.ts'

/**
 * Adds observers to those that a chain has. They hear of an event in the order in which they were
 * added, and each of them does whatever happens in another.
 */
export function addObservers(events: ChainEvents, added: ChainEvents): void {
  add(events, 'onAppliedTransaction', added.onAppliedTransaction)
  add(events, 'onAcceptedBlock', added.onAcceptedBlock)
  add(events, 'onIrreversibleBlock', added.onIrreversibleBlock)
  add(events, 'onVote', added.onVote)
  add(events, 'onForkedTransaction', added.onForkedTransaction)
}

function add<K extends keyof ChainEvents>(
  events: ChainEvents,
  name: K,
  later: ChainEvents[K] | undefined,
): void {
  const earlier = events[name]
  if (!later) return
  events[name] = (earlier ? chain(earlier, later) : later) as ChainEvents[K]
}

type Observer = (...args: never[]) => void

function chain(earlier: Observer, later: Observer): Observer {
  return (...args) => {
    try {
      earlier(...args)
    } finally {
      later(...args)
    }
  }
}
