import { reason } from '@stowage/contract'
import { HttpError } from './http-errors.ts'
import { findConnectionFailure, toStorageError } from './storage-errors.ts'
import { storageErrorMeaning } from './upstream-codes.ts'

/** A failure that concerns one object of a job. */
export interface ObjectFailure {
  code: string
  message: string
  /** The object does not exist: it was deleted while the job ran. */
  gone: boolean
  /** The storage server failed, instead of refusing the object. */
  fault: boolean
}

/**
 * Returns the failure of one object; undefined if it would be the same for all: the session has ended, the storage server
 * cannot be reached, or the console has a bug.
 */
export function objectFailure(error: unknown): ObjectFailure | undefined {
  const failure = toStorageError(error)
  if (failure) {
    const { code, message } = failure
    const { status } = storageErrorMeaning(code, failure.status)
    if (status === 401) return undefined
    const gone = code === 'NoSuchKey' || code === 'NoSuchVersion'
    return { code, message: message.trim() || code, gone, fault: status >= 500 }
  }
  // A server that cannot read an object may break its answer off. One that cannot be reached did not get the request.
  const connection = findConnectionFailure(error)
  if (connection?.reason !== 'broken') return undefined
  const message = `The connection to the storage server broke: ${connection.message}`
  return { code: 'ConnectionBroken', message, gone: false, fault: true }
}

/** Whether the storage server or the connection to it failed; otherwise the error is a bug in the console. */
export function isStorageFailure(error: unknown): boolean {
  return error instanceof HttpError || toStorageError(error) !== undefined || findConnectionFailure(error) !== undefined
}

/** After this many objects in a row for which the storage server failed, a job stops. */
const MAX_FAULTS = 20

/** Counts the objects in a row for which the storage server failed. */
export class FaultCounter {
  #count = 0
  /** The reason to stop the job, once there is one. */
  error: HttpError | undefined

  /** @param fault of the next object; undefined if the server did not fail */
  add(fault: { path: string; message: string } | undefined): void {
    this.#count = fault ? this.#count + 1 : 0
    if (!fault || this.#count < MAX_FAULTS) return
    const detail = `${fault.path}: ${fault.message}`
    this.error ??= new HttpError(502, reason('job-failures-in-a-row', { count: MAX_FAULTS }), { detail })
  }
}
