import type { Handlers } from '../types.ts'

/** The answer does not contain this path itself, as in the reference. */
const OWN_PATH = '/v1/node/get_supported_apis'

/** POST /v1/node/get_supported_apis: paths that this address serves. */
export const get_supported_apis: Handlers['get_supported_apis'] = (_engine, _body, listener) => ({
  apis: listener.apis.filter((path) => path !== OWN_PATH),
})
