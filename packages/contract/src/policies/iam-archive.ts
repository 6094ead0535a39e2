import { z } from 'zod'
import { list, routes } from '../route.ts'
import { policyEndpoints } from './endpoints.ts'

/** Longest archive in Base64 (characters): 16 MiB. */
export const MAX_ARCHIVE_BASE64 = 22_369_624
export const MIN_PASSPHRASE = 8

const passphrase = z.string().min(MIN_PASSPHRASE).max(1024)

const archive = z.object({
  /** The file as it was exported, in Base64. */
  value: z.base64().min(1).max(MAX_ARCHIVE_BASE64),
  /** Of a file that was sealed. */
  passphrase: passphrase.optional(),
})

/** One thing of an archive, and what an import would do with it. */
const IamImportChange = z.object({
  kind: z.enum(['policy', 'user', 'group', 'service-account', 'user-policies', 'group-policies', 'directory-policies']),
  name: z.string(),
  /** `refused` is left out of the import. */
  state: z.enum(['new', 'replaced', 'same', 'refused']),
  /** Why it is refused, or which policies it attaches. */
  note: z.string().optional(),
  /** Whether it makes somebody an administrator. */
  administrator: z.boolean(),
})
export type IamImportChange = z.infer<typeof IamImportChange>

export const iamArchiveCalls = routes(policyEndpoints, {
  exportIam: {
    summary: 'Users, groups, policies and service accounts as an archive: without secrets, or sealed with a passphrase',
    body: z.discriminatedUnion('secrets', [
      z.object({ secrets: z.literal('omit') }),
      z.object({ secrets: z.literal('seal'), passphrase }),
    ]),
    /** The file in Base64: a zip, or with `seal` what only the passphrase opens. */
    response: z.object({ value: z.string() }),
  },
  previewIamImport: {
    summary: 'What an import of an archive would change; nothing is changed',
    body: archive,
    response: z.object({ changes: list(IamImportChange) }),
  },
  importIam: {
    summary: 'Import an archive: what is there already is replaced, and everything else stays',
    body: archive,
    response: z.object({
      /** What the storage server did not take, beside what the preview shows as refused. */
      failed: list(z.object({ name: z.string(), error: z.string() })),
      imported: z.number(),
    }),
  },
})
