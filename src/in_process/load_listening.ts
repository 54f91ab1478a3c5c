import { createRequire } from 'node:module'
import type { listen } from './listening.ts'

/** What {@link loadListening} loads. */
export interface ListeningModule {
  listen: typeof listen
}

/** The module that serves chains, which is beside this one in the library and in the sources. */
export function loadListening(): ListeningModule {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return createRequire(import.meta.url)(`./listening.${extension}`) as ListeningModule
}
