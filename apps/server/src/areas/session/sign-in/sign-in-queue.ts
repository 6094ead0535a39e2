import { reason } from '@stowage/contract'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { FairQueue, type FairQueueOptions } from '../../../lib/store-package/limits.ts'

export type SignInQueueLimits = Omit<FairQueueOptions, 'refuse'>

/** Each sign-in makes up to three requests, over connections that all callers share. */
const LIMITS: SignInQueueLimits = { concurrency: 64, perKey: 16, maxWaiting: 1_000, maxWaitingPerKey: 100 }

/** The fair queue of sign-ins: a task that is refused fails with HttpError 503. */
export class SignInQueue extends FairQueue {
  constructor(limits = LIMITS) {
    super({ ...limits, refuse: busy })
  }
}

function busy(): HttpError {
  return new HttpError(503, reason('too-many-sign-ins-waiting'), { headers: { 'retry-after': '1' } })
}
