import { hideKeys } from './secrets.ts'

/** An option that the user gave wrongly. Its message is for the user; it is printed without a stack. */
export class OptionError extends Error {
  constructor(message: string) {
    super(hideKeys(message))
  }
}
