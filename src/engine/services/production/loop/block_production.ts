/**
 * When a development chain has blocks: one in each slot; one for each submission that succeeds, before it is answered;
 * or only those that are asked for.
 */
export const BLOCK_PRODUCTIONS = ['interval', 'instant', 'manual'] as const
/** One of {@link BLOCK_PRODUCTIONS}. */
export type BlockProduction = (typeof BLOCK_PRODUCTIONS)[number]
