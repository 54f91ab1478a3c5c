/** The system detects a vanished client by keepalive probes after this time in milliseconds. */
const DEAD_CLIENT_MS = 60_000

/** The options of each connection. */
export const SOCKET_OPTIONS = { keepAlive: true, keepAliveInitialDelay: DEAD_CLIENT_MS } as const
