import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { policyEndpoints } from './endpoints.ts'

/** The maximum length of an archive in Base64 (characters): 16 MiB. */
export const MAX_ARCHIVE_BASE64 = 22_369_624
export const MIN_PASSPHRASE = 8

const passphrase = z.string().min(MIN_PASSPHRASE).max(1024)

const archive = z.object({
  /** The exported file, in Base64. */
  value: z.base64().min(1).max(MAX_ARCHIVE_BASE64),
  /** Required if the file is encrypted. */
  passphrase: passphrase.optional(),
})

/** An entry of an archive, and what an import would do with it. */
const IamImportChange = z.object({
  kind: z.enum(['policy', 'user', 'group', 'service-account', 'user-policies', 'group-policies', 'directory-policies']),
  name: z.string(),
  /** `refused` entries are not imported. */
  state: z.enum(['new', 'replaced', 'same', 'refused']),
  /** Why it is refused, or which policies it attaches. */
  note: z.string().optional(),
  /** Whether it makes somebody an administrator. */
  administrator: z.boolean(),
})
export type IamImportChange = z.infer<typeof IamImportChange>

export const iamArchiveCalls = routes(policyEndpoints, {
  exportIam: {
    summary:
      'Users, groups, policies and service accounts as an archive: without secrets, or encrypted with a passphrase',
    body: z.discriminatedUnion('secrets', [
      z.object({ secrets: z.literal('omit') }),
      z.object({ secrets: z.literal('seal'), passphrase }),
    ]),
    /** The file in Base64: a zip archive or, with `seal`, an encrypted file that requires the passphrase. */
    response: z.object({ value: z.string() }),
  },
  previewIamImport: {
    summary: 'Preview the import of an archive; nothing is changed',
    body: archive,
    response: z.object({ changes: listSchema(IamImportChange) }),
  },
  importIam: {
    summary: 'Import an archive: existing entries are replaced, and all others are kept',
    body: archive,
    response: z.object({
      /** Entries that the storage server rejected, in addition to those that the preview shows as refused. */
      failed: listSchema(z.object({ name: z.string(), error: z.string() })),
      imported: z.number(),
    }),
  },
})
