import { fileURLToPath } from 'node:url'

const LOADER = fileURLToPath(new URL('../../scripts/test/typescript.mjs', import.meta.url))

/** Arguments for node that let it run sources, from any folder. */
export const FROM_SOURCES = ['--import', LOADER]
