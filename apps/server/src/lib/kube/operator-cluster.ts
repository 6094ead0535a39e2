import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Cluster, KubeError, openCluster } from '@stowage/kube'
import { ConfigError, type OperatorConfig } from '../config/config.ts'

/**
 * Connects to the cluster of operator mode, after checking that it verifies tokens.
 * @throws ConfigError if it accepts an unknown token, as `kubectl proxy` does; network errors
 */
export async function openOperatorCluster({
  server,
  caFile,
}: OperatorConfig): Promise<{ cluster: Cluster; ca: string | undefined }> {
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8')
  const cluster = openCluster({ server: server.href, ca })
  try {
    await checkRefusesStrangers(cluster)
    return { cluster, ca }
  } catch (error) {
    await cluster[Symbol.asyncDispose]()
    throw error
  }
}

async function checkRefusesStrangers(cluster: Cluster): Promise<void> {
  const stranger = cluster.as(randomBytes(24).toString('hex'))
  const failure = await stranger.whoAmI().then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure instanceof KubeError && failure.status === 401) return
  if (failure instanceof Error && !(failure instanceof KubeError))
    throw new ConfigError(
      `The API server ${cluster.server} cannot be reached: ${failure.message}. See STOWAGE_KUBE_SERVER and STOWAGE_KUBE_CA.`,
    )
  throw new ConfigError(
    `${cluster.server} does not refuse an unknown token with 401, so operator mode would let anybody in. ` +
      'Set STOWAGE_KUBE_SERVER to the API server itself, not to a proxy.',
  )
}
