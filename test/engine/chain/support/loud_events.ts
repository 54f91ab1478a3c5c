import { ChainEvents } from '../../../../src/engine/chain/chain_events.ts'

/** Events without a chain; a listener that throws fails the test. */
export function loudEvents(): ChainEvents {
  return new ChainEvents((_level, message) => {
    throw new Error(message)
  })
}
