import type { AdminActionName } from '@stowage/iam-policy'
import { writeZip } from '@stowage/madmin/zip'
import { exportIam } from '../../../iam/archive/export-iam.ts'
import { type ImportReport, importIam } from '../../../iam/archive/import-iam.ts'
import { S3Error } from '../../../lib/errors.ts'
import { requireAction } from '../../auth/authorize.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { requireIdentity } from '../endpoint/payload.ts'
import { readArchive } from '../endpoint/read-archive.ts'

/* Users, groups, policies and service accounts as an archive, with secret keys in plain text. */

/** Number of entries that an error names. */
const MAX_FAILURES = 5

const MAX_BODY_BYTES = 16 * 2 ** 20
const LIMITS = { entries: 100, entryBytes: 32 * 2 ** 20, totalBytes: 64 * 2 ** 20 }

export const adminIamArchiveEndpoints: AdminEndpoint[] = [
  {
    name: 'ExportIAM',
    method: 'GET',
    path: 'export-iam',
    handle(call) {
      call.text(writeZip(exportIam(call.store.iam)), 200, { 'Content-Type': 'application/zip' })
    },
  },
  {
    name: 'ImportIAM',
    method: 'PUT',
    path: 'import-iam',
    async handle(call) {
      // This call has no report, so an entry that cannot be imported fails it as a whole.
      const failed = failureTexts(await runImport(call, { whole: true }))
      if (failed.length > 0) {
        throw new S3Error('XMinioInvalidResource', `Nothing was imported. ${failed.slice(0, MAX_FAILURES).join(' ')}`)
      }
      call.empty(200)
    },
  },
  {
    name: 'ImportIAMV2',
    method: 'PUT',
    path: 'import-iam-v2',
    async handle(call) {
      call.json(await runImport(call))
    },
  },
]

/**
 * Runs an import. It needs the same rights as the corresponding single calls, so that nobody can import an administrator that
 * they could not create.
 */
async function runImport(call: StoreCall, options?: { whole: boolean }): Promise<ImportReport> {
  const { user, narrowedBy } = requireIdentity(call)
  const entries = readArchive(await readRequestBody(call, MAX_BODY_BYTES), LIMITS)
  const require = (action: AdminActionName) => requireAction(call, action, {})
  return await importIam(call.store.iam, entries, { user, narrowedBy, require }, options)
}

function failureTexts({ failed }: ImportReport): string[] {
  return Object.entries(failed).flatMap(([kind, entries]) =>
    entries.map(({ name, message }) => `${kind} ${name}: ${message}`),
  )
}
