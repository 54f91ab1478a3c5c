import { defineService } from '../service.ts'
import { TRACE_API_OPTIONS } from './options.ts'
import { traceApiSettings } from './settings.ts'
import { FollowedTraces, TraceApi } from './trace_api.ts'

/** Traces of blocks and transactions by HTTP. Without a data folder there are none. */
export const TRACE_API = defineService({
  name: 'trace_api',
  plugins: [{ name: 'trace_api', needs: ['chain', 'http'], categories: [{ name: 'trace_api' }] }],
  options: TRACE_API_OPTIONS,
  settings: traceApiSettings,
  operations: ['get_block_trace', 'get_transaction_trace'],
  needs: [],
  // Subscribed before the chain is opened: blocks that are applied again at the start may be missing in the slices.
  early: async ({ settings, events, clock, log, in_memory }) =>
    settings && !in_memory ? new FollowedTraces(settings, { events, clock, log }) : undefined,
  open: async ({ settings, early, chain }) =>
    settings && early && new TraceApi(early, settings, chain),
})
