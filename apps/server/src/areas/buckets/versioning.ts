import { versioningCalls } from '@stowage/contract/buckets/versioning'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { requireUnchangedSetting, settingQueue } from '../../lib/storage/setting-conflicts.ts'
import { childrenOf, escapeXml, parseStorageXml, xmlText } from '../../lib/xml/storage-xml.ts'

interface Versioning {
  /** `Enabled`, `Suspended`, or empty for a bucket that never had versions. */
  status: string
  excluded: ExcludedObjects
}

interface ExcludedObjects {
  prefixes: readonly string[]
  folders: boolean
}

export function versioningRoutes(app: FastifyInstance): void {
  serve(app, versioningCalls.getBucketVersioning, async ({ params: { bucket } }, { s3Stream }) =>
    versioningAnswer(await readVersioning(s3Stream, bucket)),
  )

  serve(app, versioningCalls.setBucketVersioning, async ({ params: { bucket }, body }, { s3Stream }) => {
    const { versioning, excluded_prefixes, exclude_folders, before } = body
    const isWhole = !versioning || (excluded_prefixes !== undefined && exclude_folders !== undefined)
    await settingQueue.run(bucket, async () => {
      await requireUnchangedSetting(before, async () => versioningAnswer(await readVersioning(s3Stream, bucket)))
      const kept = isWhole ? NO_EXCLUSIONS : (await readVersioning(s3Stream, bucket)).excluded
      await writeVersioning(s3Stream, bucket, {
        status: versioning ? 'Enabled' : 'Suspended',
        excluded: { prefixes: excluded_prefixes ?? kept.prefixes, folders: exclude_folders ?? kept.folders },
      })
    })
  })
}

const versioningAnswer = ({ status, excluded }: Versioning) => ({
  is_versioned: status === 'Enabled',
  excluded_prefixes: [...excluded.prefixes],
  exclude_folders: excluded.folders,
})

const NO_EXCLUSIONS: ExcludedObjects = { prefixes: [], folders: false }

/** Does not use the SDK, which ignores the exclusions that MinIO adds. */
export async function readVersioning(s3Stream: S3Stream, bucket: string): Promise<Versioning> {
  const { node: root } = parseStorageXml(await s3Stream.text({ method: 'GET', bucket, query: { versioning: '' } }))
  return {
    status: xmlText(root, 'Status'),
    excluded: {
      prefixes: childrenOf(root, 'ExcludedPrefixes').map((node) => xmlText(node, 'Prefix')),
      folders: xmlText(root, 'ExcludeFolders') === 'true',
    },
  }
}

export async function writeVersioning(s3Stream: S3Stream, bucket: string, versioning: Versioning): Promise<void> {
  await s3Stream.text({ method: 'PUT', bucket, query: { versioning: '' }, body: versioningXml(versioning) })
}

function versioningXml({ status, excluded: { prefixes, folders } }: Versioning): string {
  // Servers refuse exclusions while versioning is suspended.
  const parts =
    status === 'Enabled'
      ? prefixes.map((prefix) => `<ExcludedPrefixes><Prefix>${escapeXml(prefix)}</Prefix></ExcludedPrefixes>`)
      : []
  const excludeFolders = folders && status === 'Enabled' ? '<ExcludeFolders>true</ExcludeFolders>' : ''
  const content = `<Status>${status}</Status>${parts.join('')}${excludeFolders}`
  return `<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</VersioningConfiguration>`
}
