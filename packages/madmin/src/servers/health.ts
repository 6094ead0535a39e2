import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export interface ClusterHealth {
  /** Whether enough servers and drives are online to write. */
  readonly healthy: boolean
  /** Drives of a set that a write needs; undefined on servers without redundancy. */
  readonly writeQuorum: number | undefined
  /** State of a server that is not online, such as `starting`. */
  readonly serverStatus: string | undefined
  /** Which policy rules it follows where AWS and MinIO differ; only the embedded store reports `aws`. */
  readonly policies: 'aws' | 'minio'
}

/** Whether the process runs. Needs no rights. */
export async function isLive(t: Transport, options?: AdminCallOptions): Promise<boolean> {
  return (await t.probe('/minio/health/live', options)).status === 200
}

/** Whether the server accepts requests. Needs no rights. */
export async function isReady(t: Transport, options?: AdminCallOptions): Promise<boolean> {
  return (await t.probe('/minio/health/ready', options)).status === 200
}

/** Whether the deployment can write. Needs no rights. */
export async function clusterHealth(t: Transport, options?: AdminCallOptions): Promise<ClusterHealth> {
  const { status, headers } = await t.probe('/minio/health/cluster', options)
  const quorum = Number(headers['x-minio-write-quorum'])
  const serverStatus = headers['x-minio-server-status']
  return {
    healthy: status === 200,
    writeQuorum: quorum > 0 ? quorum : undefined,
    serverStatus: typeof serverStatus === 'string' ? serverStatus : undefined,
    policies: headers['x-stowage-policies'] === 'aws' ? 'aws' : 'minio',
  }
}
