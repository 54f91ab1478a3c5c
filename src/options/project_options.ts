import type { OptionRow } from '../engine/options/row.ts'

/** Options that prepare a development chain; `pronghorn.config.*` has the same. */
export const PROJECT_OPTIONS: readonly OptionRow[] = [
  {
    name: 'project',
    kind: 'text',
    group: 'Development',
    value: 'FILE',
    commandLineOnly: true,
    help: 'Configuration of a prepared development chain: a module with a default export, or JSON. Default: pronghorn.config.ts, .mts, .mjs, .js or .json in the current folder, if there is one.',
  },
  {
    name: 'account',
    kind: 'list',
    group: 'Development',
    value: 'NAME',
    commandLineOnly: true,
    help: 'Account that is created on a development chain, with the development key.',
  },
  {
    name: 'deploy',
    kind: 'list',
    group: 'Development',
    value: 'ACCOUNT=CONTRACT',
    commandLineOnly: true,
    help: 'Contract that is deployed on a development chain: a WASM file with the ABI beside it, with or without the extension; a folder with one; or the same in an npm package. The account is created if there is none.',
  },
  {
    name: 'action',
    kind: 'list',
    group: 'Development',
    value: 'JSON',
    commandLineOnly: true,
    help: 'Action that runs on a new development chain after the deployments: {"account": "eosio.token", "name": "create", "authorization": "eosio.token@active", "data": {…}}.',
  },
  {
    name: 'bios',
    kind: 'switch',
    group: 'Development',
    commandLineOnly: true,
    help: 'Deploys a small system contract on eosio of a development chain, with the actions setalimits and setpriv.',
  },
  {
    name: 'watch',
    kind: 'switch',
    group: 'Development',
    commandLineOnly: true,
    help: 'Deploys a contract again when its files change.',
  },
]
