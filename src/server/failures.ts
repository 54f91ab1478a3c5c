/** The answers for failures, and the log of faults of this program. */
import type { Log } from '../engine/index.ts'
import { routes } from '../../generated/routes.ts'
import { errorResponse, internalError } from './error_response.ts'
import type { HttpMetrics } from './metrics.ts'
import { checkFailure, ContractViolation } from './response_check.ts'
import type { ServerOptions } from './server_options.ts'

/** The answer for an error. */
export type Failure = ReturnType<typeof internalError>

/** Makes the answers for errors, and logs and counts errors that are faults of this program. */
export class Failures {
  private readonly options: ServerOptions
  private readonly metrics: HttpMetrics
  private readonly log: Log

  constructor(options: ServerOptions, { metrics, log }: { metrics: HttpMetrics; log: Log }) {
    this.options = options
    this.metrics = metrics
    this.log = log
  }

  /** The answer for an error, without a check against the contract. */
  of = (path: string, error: unknown): Failure =>
    errorResponse(error, this.options.verbose_errors) ?? this.fault(path, error)

  /** The same. If answers are checked, an answer that violates the contract is a fault too. */
  async checked(path: string, error: unknown): Promise<Failure> {
    const answer = errorResponse(error, this.options.verbose_errors)
    if (!answer) return this.fault(path, error)
    if (!this.options.validate_responses) return answer
    try {
      await checkFailure(routes[path]?.operationId, answer.status, answer.body)
      return answer
    } catch (violation) {
      return this.fault(path, violation)
    }
  }

  private fault(path: string, error: unknown): Failure {
    if (error instanceof ContractViolation) this.metrics.violation(path)
    this.log('error', `${path}: ${(error as Error).stack ?? String(error)}`)
    return internalError()
  }
}
