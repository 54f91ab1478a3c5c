import { blsPairing } from '../../../src/engine/crypto/bls12_381.ts'
import { BLS_POINTS } from './known_points.ts'

/** The one value that is taken from the engine: known values pin it, the laws of pairings the rest. */
export const PAIRING_OF_GENERATORS = blsPairing(
  () => BLS_POINTS.point(1, 1n),
  () => BLS_POINTS.point(2, 1n),
  1,
  () => {},
)!
