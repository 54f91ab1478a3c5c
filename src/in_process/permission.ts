import { ChainError, nameFromString } from '../engine/index.ts'
import type { PermissionLevel } from '../engine/index.ts'

/** `alice@active`, or `alice`, which is the same. */
export type PermissionText = string

/**
 * @internal Reads `alice@active`, or `alice`.
 * @throws ChainError name_type_exception, action_validate_exception
 */
export function permissionFromText(text: PermissionText): PermissionLevel {
  const parts = text.split('@')
  const [actor = '', permission = 'active'] = parts
  if (parts.length > 2 || actor === '' || permission === '') {
    throw new ChainError(
      'action_validate_exception',
      `"${text}" is not a permission: write it as alice@active`,
    )
  }
  return { actor: nameFromString(actor), permission: nameFromString(permission) }
}

/** @internal The same for one permission or a list of them. */
export function permissionsFromText(
  texts: PermissionText | readonly PermissionText[],
): PermissionLevel[] {
  return (typeof texts === 'string' ? [texts] : texts).map(permissionFromText)
}
