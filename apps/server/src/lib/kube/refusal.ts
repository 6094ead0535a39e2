import { KubeError } from '@stowage/kube'

/**
 * The API server's words where it refuses one of several changes; empty when it accepts.
 * @throws what concerns all of them: the caller is not known any more, or the server is out of reach
 */
export async function refusalOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run()
    return ''
  } catch (error) {
    if (error instanceof KubeError && error.code !== 'Unauthorized') return error.message
    throw error
  }
}
