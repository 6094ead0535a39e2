import { KubeError } from '@stowage/kube'

/**
 * Returns the API server's message if it refuses one of several changes; empty if it accepts.
 * @throws errors that affect all of them: the session has expired, or the server is unreachable
 */
export async function refusalMessage(run: () => Promise<unknown>): Promise<string> {
  try {
    await run()
    return ''
  } catch (error) {
    if (error instanceof KubeError && error.code !== 'Unauthorized') return error.message
    throw error
  }
}
