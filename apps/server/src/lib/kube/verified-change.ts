import { KubeError } from '@stowage/kube'

/** Errors after which it is unknown whether the change was made. */
const unverified = new WeakSet<object>()

/** Whether it is unknown if the API server has made the change that failed with this error. */
export function isUnverifiedChange(error: unknown): boolean {
  return typeof error === 'object' && error !== null && unverified.has(error)
}

/**
 * Makes a change. If the answer is lost, or the API server fails while it makes the change, finds out whether it was made.
 * @param make must not be aborted when the caller disconnects, because the change could still be made
 * @param find returns the result of the change, or undefined if it was not made
 * @throws the error of `make`, for which `isUnverifiedChange` is true if `find` fails too
 */
export async function makeVerifiedChange<T>(make: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof KubeError && error.status < 500) throw error
    let found: T | undefined
    try {
      found = await find()
    } catch {
      if (typeof error === 'object' && error !== null) unverified.add(error)
      throw error
    }
    if (found === undefined) throw error
    return found
  }
}
