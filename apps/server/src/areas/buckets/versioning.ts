import { versioningCalls } from '@stowage/contract/buckets/versioning'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'

export function versioningRoutes(app: FastifyInstance): void {
  serve(app, versioningCalls.getBucketVersioning, async ({ params }, { control, signal }) => {
    const { commands, send } = await control()
    const command = new commands.GetBucketVersioningCommand({ Bucket: params.bucket })
    const { Status } = await send(command, { abortSignal: signal })
    return { is_versioned: Status === 'Enabled' }
  })

  serve(app, versioningCalls.setBucketVersioning, async ({ params, body }, { control, signal }) => {
    const { commands, send } = await control()
    const command = new commands.PutBucketVersioningCommand({
      Bucket: params.bucket,
      VersioningConfiguration: { Status: body.versioning ? 'Enabled' : 'Suspended' },
    })
    await send(command, { abortSignal: signal })
  })
}
