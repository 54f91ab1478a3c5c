import { API_CATEGORIES } from '../engine/services/plugins.ts'
import { parseAddress } from '../engine/options/address.ts'
import { UINT32_MAX, INT32_MAX, type OptionRow } from '../engine/options/row.ts'

const WITH_ADDRESS = API_CATEGORIES.filter(({ everywhere }) => !everywhere).map(({ name }) => name)
/** Names of the categories that change the node, as a sentence lists them. */
const CONTROL = new Intl.ListFormat('en', { style: 'long' }).format(
  API_CATEGORIES.filter(({ control }) => control).map(({ name }) => name),
)

/** The value of http-server-address that leaves everything to http-category-address. */
export const BY_CATEGORY = 'http-category-address'

/** The options of the HTTP server. */
export const HTTP_OPTIONS: readonly OptionRow[] = [
  {
    name: 'http-server-address',
    kind: 'text',
    group: 'HTTP',
    default: '127.0.0.1:8888',
    parse: httpAddress,
    value: 'HOST:PORT',
    help: `Address of the API, HOST:PORT. Port 0 selects a free port; an empty value disables it; "http-category-address" means that only the addresses of that option are used. Without plugin lines, ${CONTROL} are served only on loopback addresses.`,
  },
  {
    name: 'http-category-address',
    kind: 'list',
    fromOnePlace: true,
    group: 'HTTP',
    value: 'CATEGORY,ADDRESS',
    help: `Address of one category of the API: ${WITH_ADDRESS.join(', ')}. The address is HOST:PORT, or the path of a unix socket that starts with /, ./ or ../.`,
  },
  {
    name: 'unix-socket-path',
    kind: 'text',
    group: 'HTTP',
    value: 'PATH',
    help: 'Path of a unix socket that also serves the whole API, relative to the data folder.',
  },
  {
    name: 'access-control-allow-origin',
    kind: 'text',
    group: 'HTTP',
    value: 'ORIGIN',
    help: 'Value of the CORS header with this name. Default: * on a development chain that listens only on this machine.',
  },
  {
    name: 'http-control-origin',
    kind: 'list',
    group: 'HTTP',
    value: 'ORIGIN',
    help: `Origin of web pages that may use ${CONTROL}, such as https://ops.example. Pages of this node and an origin (not *) in access-control-allow-origin are allowed as well; * allows every page.`,
  },
  {
    name: 'access-control-allow-headers',
    kind: 'text',
    group: 'HTTP',
    value: 'NAMES',
    help: 'Value of the CORS header with this name.',
  },
  {
    name: 'access-control-max-age',
    kind: 'text',
    group: 'HTTP',
    value: 'SEC',
    help: 'Value of the CORS header with this name.',
  },
  {
    name: 'access-control-allow-credentials',
    kind: 'switch',
    group: 'HTTP',
    help: 'Sends the CORS header with this name.',
  },
  {
    name: 'max-body-size',
    kind: 'integer',
    group: 'HTTP',
    default: '2097152',
    min: 1,
    max: UINT32_MAX,
    value: 'BYTES',
    help: 'Maximum size of a request body.',
  },
  {
    name: 'http-max-bytes-in-flight-mb',
    kind: 'integer',
    group: 'HTTP',
    default: '500',
    min: -1,
    max: 1048576,
    value: 'MIB',
    help: 'Maximum total size of request bodies in memory; above it the answer is 503; -1 means no limit.',
  },
  {
    name: 'http-max-in-flight-requests',
    kind: 'integer',
    group: 'HTTP',
    default: '-1',
    min: -1,
    max: INT32_MAX,
    value: 'NUM',
    help: 'Maximum number of requests in progress; above it the answer is 503; -1 means no limit.',
  },
  {
    name: 'http-threads',
    kind: 'integer',
    group: 'HTTP',
    min: 0,
    max: 64,
    value: 'NUM',
    help: "Number of threads that answer reads of the state and of blocks, and read submissions, beside the chain's thread; 0 means that the chain's thread does all. They start when the node has answered some hundred different reads, and rest on a machine of at most two processors while they get submissions alone. The default is the number of processors less one, at least one.",
  },
  {
    name: 'http-max-response-time-ms',
    kind: 'integer',
    group: 'HTTP',
    default: '15',
    min: -1,
    max: INT32_MAX,
    value: 'MS',
    help: 'Default of time_limit_ms in requests that have this field; -1 means no limit.',
  },
  {
    name: 'http-max-connections',
    kind: 'integer',
    group: 'HTTP',
    default: '10000',
    min: 1,
    max: 1000000,
    value: 'NUM',
    help: 'Maximum number of open connections on each address; fewer if the limit of open files is low. When it is reached, a new connection closes the one that has been idle for the longest time.',
  },
  {
    name: 'http-request-timeout-ms',
    kind: 'integer',
    group: 'HTTP',
    default: '30000',
    min: 100,
    max: INT32_MAX,
    value: 'MS',
    help: 'Maximum time that a client may take to send a request that it has started; time in which this node is busy does not count.',
  },
  {
    name: 'verbose-http-errors',
    kind: 'switch',
    group: 'HTTP',
    help: 'Error answers have all details, not only the first. Default: on for a development chain.',
  },
  {
    name: 'http-validate-host',
    kind: 'bool',
    group: 'HTTP',
    default: 'true',
    help: 'Refuses requests whose Host header does not name this node.',
  },
  {
    name: 'http-alias',
    kind: 'list',
    group: 'HTTP',
    value: 'HOST',
    help: 'Additional host names of this node that a Host header may have; the port is not compared.',
  },
  {
    name: 'http-keep-alive',
    kind: 'bool',
    group: 'HTTP',
    default: 'true',
    help: 'Keeps connections open between requests.',
  },
  {
    name: 'validate-responses',
    kind: 'switch',
    group: 'HTTP',
    help: 'Checks every answer against the OpenAPI contract. A violation is logged, counted and answered with an error.',
  },
]

/** No address is none, and not an error. */
function httpAddress(text: string): void {
  if (text !== '' && text !== BY_CATEGORY) parseAddress('http-server-address', text, '.')
}
