import { check } from '../../errors.ts'

/** @throws misc_exception with the reason why the controls cannot do what was asked for */
export function checkPossible(condition: boolean, message: string): void {
  check(condition, 'misc_exception', message)
}
