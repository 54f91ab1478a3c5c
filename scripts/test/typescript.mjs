/**
 * Lets Node.js run the TypeScript of the tests: `node --import ./scripts/test/typescript.mjs FILE`. It does what the
 * tests need of tsx, whose start takes a second more of the processor in each process that loads the engine.
 */
import * as module from 'node:module'
import { load } from './typescript_hooks.mjs'

process.setSourceMapsEnabled(true)
// Newer versions of Node.js load modules on the thread that imports them.
if (module.registerHooks) module.registerHooks({ load })
else module.register('./typescript_hooks.mjs', import.meta.url)
