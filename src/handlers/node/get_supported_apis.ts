import type { Handlers } from '../types.ts'

export const get_supported_apis: Handlers['get_supported_apis'] = (_engine, _body, listener) => ({
  apis: listener.apis,
})
