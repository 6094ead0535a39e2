import type { CallOptions, Transport } from './transport.ts'

export interface ClusterHealth {
  /** Enough servers and drives are there to write. */
  readonly healthy: boolean
  /** Drives of a set that a write needs; undefined on servers that keep no copies or parity. */
  readonly writeQuorum: number | undefined
  /** What the server says when it is not online, such as `starting`. */
  readonly serverStatus: string | undefined
  /** What its policies mean where AWS and MinIO differ; only the embedded store says that it follows AWS. */
  readonly policies: 'aws' | 'minio'
}

/** Whether the process runs. Anybody may ask. */
export async function isLive(t: Transport, options?: CallOptions): Promise<boolean> {
  return (await t.probe('/minio/health/live', options)).status === 200
}

/** Whether the server takes requests. Anybody may ask. */
export async function isReady(t: Transport, options?: CallOptions): Promise<boolean> {
  return (await t.probe('/minio/health/ready', options)).status === 200
}

/** Whether the deployment can write. Anybody may ask. */
export async function clusterHealth(t: Transport, options?: CallOptions): Promise<ClusterHealth> {
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
