import { asString } from '../../abi/lenient_json.ts'
import type { Body } from '../../contract.ts'
import { invalidRequest, unwrapped } from '../../queries/params.ts'

/** The address of a peer: a text, or `{endpoint}`. @throws ChainError invalid_http_request */
export function peerAddressRequest(body: Body<'connect'>): string {
  return invalidRequest('Unable to parse valid input from POST body', () =>
    asString(unwrapped(body, 'endpoint')),
  )
}
