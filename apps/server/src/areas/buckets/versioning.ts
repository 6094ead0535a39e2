import { versioningCalls } from '@stowage/contract/buckets/versioning'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'

export function versioningRoutes(app: FastifyInstance): void {
  serve(app, versioningCalls.getBucketVersioning, async ({ params }, { s3 }) => {
    const { Status } = await s3.getBucketVersioning({ Bucket: params.bucket })
    return { is_versioned: Status === 'Enabled' }
  })

  serve(app, versioningCalls.setBucketVersioning, async ({ params, body }, { s3 }) => {
    const Status = body.versioning ? 'Enabled' : 'Suspended'
    await s3.putBucketVersioning({ Bucket: params.bucket, VersioningConfiguration: { Status } })
  })
}
