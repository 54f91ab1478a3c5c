import type { Attack } from './attack.ts'
import { REQUEST_ATTACKS } from './attacks/requests.ts'
import { SOCKET_ATTACKS } from './attacks/sockets.ts'
import { TRANSACTION_ATTACKS } from './attacks/transactions.ts'

/** Every kind of hostile load. */
export const ATTACKS: readonly Attack[] = [
  ...SOCKET_ATTACKS,
  ...REQUEST_ATTACKS,
  ...TRANSACTION_ATTACKS,
]
