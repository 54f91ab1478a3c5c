/** How a program ends early: the name of the error and its first message. */
export class Failure extends Error {
  readonly error_name: string

  constructor(error_name: string, message: string) {
    super(message)
    this.error_name = error_name
  }
}

/** A program that ends without a failure. */
export class Exit extends Error {}
