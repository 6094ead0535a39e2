import { KubeError } from '@stowage/kube'

/** Returns `forbidden` instead of the error if the caller has no right to a call. */
export async function ifAllowed<T>(run: Promise<T>): Promise<T | 'forbidden'> {
  try {
    return await run
  } catch (error) {
    if (error instanceof KubeError && error.code === 'Forbidden') return 'forbidden'
    throw error
  }
}
