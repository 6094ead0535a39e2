import { z } from 'zod'
import type { Engine } from '../engine/interface/types.ts'

/** A bucket on another store to which versions of a bucket are sent. */
export interface StoredRemoteTarget {
  /** A UUID. */
  id: string
  arn: string
  sourceBucket: string
  /** Creation time of the bucket, ms since 1970: a bucket created again does not inherit the targets of the previous one. */
  bucketCreatedAt: number
  /** `host:port` */
  endpoint: string
  secure: boolean
  targetBucket: string
  accessKey: string
  secretKey: string
  sessionToken: string
  region: string
  /** `auto`, `on` or `off`, as sent by clients. */
  path: string
  storageClass: string
  /** Bytes per second; 0: unlimited. */
  bandwidth: number
  /** Whether a write is answered only after the target has it. */
  sync: boolean
  healthCheckSeconds: number
  disableProxy: boolean
  /** Deployment ID of the other store, if it reports one. */
  deploymentId: string
  /** ID of the last resync; empty before the first one. */
  resetId: string
  /** ms since 1970. */
  resetBefore: number
  addedAt: number
}

/** Stored as documents, because they contain secrets. */
const TARGET_COLLECTION = 'remote-targets'
/** The documents of resyncs, by the ID of their target. */
export const RESYNC_COLLECTION = 'replication-resyncs'

const StoredTargetSchema = z.object({
  id: z.string(),
  arn: z.string(),
  sourceBucket: z.string(),
  bucketCreatedAt: z.number(),
  endpoint: z.string(),
  secure: z.boolean(),
  targetBucket: z.string(),
  accessKey: z.string(),
  secretKey: z.string(),
  sessionToken: z.string(),
  region: z.string(),
  path: z.string(),
  storageClass: z.string(),
  bandwidth: z.number(),
  sync: z.boolean(),
  healthCheckSeconds: z.number(),
  disableProxy: z.boolean(),
  deploymentId: z.string(),
  resetId: z.string(),
  resetBefore: z.number(),
  addedAt: z.number(),
}) satisfies z.ZodType<StoredRemoteTarget>

/** The remote targets of all buckets, in memory. */
export class RemoteTargetStore {
  readonly #byId = new Map<string, StoredRemoteTarget>()

  constructor(private readonly engine: Engine) {
    for (const { value } of engine.listDocuments(TARGET_COLLECTION)) {
      const target = StoredTargetSchema.parse(JSON.parse(value))
      this.#byId.set(target.id, target)
    }
  }

  /** Returns the targets of one bucket or of all, oldest first. */
  list(bucket?: string): StoredRemoteTarget[] {
    return [...this.#byId.values()]
      .filter((target) => (bucket === undefined || target.sourceBucket === bucket) && this.#isCurrent(target))
      .sort((a, b) => a.addedAt - b.addedAt)
  }

  find(bucket: string, arn: string): StoredRemoteTarget | undefined {
    return this.list(bucket).find((target) => target.arn === arn)
  }

  async put(target: StoredRemoteTarget): Promise<void> {
    await this.engine.putDocuments([{ collection: TARGET_COLLECTION, name: target.id, value: JSON.stringify(target) }])
    this.#byId.set(target.id, target)
  }

  async remove(target: StoredRemoteTarget): Promise<void> {
    const { id: name } = target
    await this.engine.putDocuments(
      [TARGET_COLLECTION, RESYNC_COLLECTION].map((collection) => ({ collection, name, value: undefined })),
    )
    this.#byId.delete(target.id)
  }

  /** Removes the targets of deleted buckets. */
  async removeOrphans(): Promise<void> {
    for (const target of this.#byId.values()) if (!this.#isCurrent(target)) await this.remove(target)
  }

  #isCurrent({ sourceBucket, bucketCreatedAt }: StoredRemoteTarget): boolean {
    return this.engine
      .listBuckets()
      .some(({ name, createdAt }) => name === sourceBucket && createdAt === bucketCreatedAt)
  }
}
