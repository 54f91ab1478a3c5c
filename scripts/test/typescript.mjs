/**
 * Lets Node.js run the TypeScript of the tests: `node --import ./scripts/test/typescript.mjs FILE`. It does what the
 * tests need of tsx, whose start takes a second more of the processor in each process that loads the engine.
 */
import * as module from 'node:module'
import { javascript, load } from './typescript_hooks.mjs'

process.setSourceMapsEnabled(true)
if (module.registerHooks) {
  // Newer versions of Node.js load modules on the thread that imports them, or requires them.
  module.registerHooks({ load })
} else {
  module.register('./typescript_hooks.mjs', import.meta.url)
  module.Module._extensions['.ts'] = (required, file) =>
    required._compile(javascript(file), file, 'module')
}
