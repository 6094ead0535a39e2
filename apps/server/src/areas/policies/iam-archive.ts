import { reason } from '@stowage/contract'
import { iamArchiveCalls, MAX_ARCHIVE_BASE64 } from '@stowage/contract/policies/iam-archive'
import { type Madmin, MadminError } from '@stowage/madmin'
import { openAdminBody, SealingError, sealAdminBody } from '@stowage/madmin/sealing'
import { readZip, writeZip, type ZipArchiveEntry, ZipError } from '@stowage/madmin/zip'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import {
  type IamFiles,
  iamFilesWithoutSecrets,
  type PresentIam,
  planIamImport,
  readIamFiles,
  writeIamFiles,
} from './iam-import-plan.ts'

/**
 * Exports and imports users, groups, policies and service accounts as an archive. Servers export secret keys in plain text,
 * which no caller gets.
 */
export function iamArchiveRoutes(app: FastifyInstance): void {
  serve(app, iamArchiveCalls.exportIam, async ({ body }, { madmin }) => {
    const archive = await madmin.exportIam()
    if (body.secrets === 'omit') {
      const files = readIamFiles(readEntries(archive)) ?? new Map()
      return { value: writeZip(writeIamFiles(iamFilesWithoutSecrets(files))).toString('base64') }
    }
    // Argon2id needs 64 MiB for each guess at the passphrase.
    const sealed = await sealAdminBody(archive, body.passphrase, { algorithm: 'argon2id-aes256gcm' })
    return { value: sealed.toString('base64') }
  })

  serve(
    app,
    iamArchiveCalls.previewIamImport,
    async ({ body }, { madmin, session }) => {
      // Read this first, because it needs rights: opening a sealed file takes time and memory.
      const present = await readPresentIam(madmin, session.user)
      return { changes: planIamImport(await readArchiveFiles(body), present).changes }
    },
    BODY_BYTES,
  )

  serve(
    app,
    iamArchiveCalls.importIam,
    async ({ body }, { madmin, session }) => {
      const present = await readPresentIam(madmin, session.user)
      const { changes, accepted } = planIamImport(await readArchiveFiles(body), present)
      const failed = await madmin.importIam(writeZip(writeIamFiles(accepted)))
      const sent = changes.filter(({ state }) => state !== 'refused').length
      return { imported: Math.max(0, sent - failed.length), failed: failed.map(({ name, error }) => ({ name, error })) }
    },
    BODY_BYTES,
  )
}

const BODY_BYTES = MAX_ARCHIVE_BASE64 + 4096
const LIMITS = { entries: 100, entryBytes: 32 * 2 ** 20, totalBytes: 64 * 2 ** 20 }

/** @throws HttpError 400 with the field */
async function readArchiveFiles({
  value,
  passphrase,
}: {
  value: string
  passphrase?: string | undefined
}): Promise<IamFiles> {
  const body = Buffer.from(value, 'base64')
  const archive = isZip(body) ? body : await openSealed(body, passphrase)
  const files = readIamFiles(readEntries(archive))
  if (!files) throw unreadableArchive()
  return files
}

const isZip = (body: Buffer) => body.subarray(0, 2).toString('latin1') === 'PK'

async function openSealed(body: Buffer, passphrase: string | undefined): Promise<Buffer> {
  if (passphrase === undefined) throw new HttpError(400, reason('iam-archive-sealed'), { field: 'passphrase' })
  try {
    return await openAdminBody(body, passphrase)
  } catch (cause) {
    if (!(cause instanceof SealingError)) throw cause
    if (cause.code !== 'NotAuthentic') throw unreadableArchive(cause)
    throw new HttpError(400, reason('iam-archive-passphrase'), { field: 'passphrase', cause })
  }
}

function readEntries(archive: Buffer): ZipArchiveEntry[] {
  try {
    return readZip(archive, LIMITS)
  } catch (error) {
    throw error instanceof ZipError ? unreadableArchive(error) : error
  }
}

const unreadableArchive = (cause?: unknown) =>
  new HttpError(400, reason('iam-archive-unreadable'), { field: 'value', ...(cause ? { cause } : {}) })

async function readPresentIam(madmin: Madmin, caller: string): Promise<PresentIam> {
  const [users, groups, policies, accounts, entities] = await Promise.all([
    madmin.listUsers(),
    madmin.listGroups(),
    madmin.listPolicies(),
    madmin.listAccessKeys('all').catch(noneIfUnsupported),
    madmin.listPolicyEntities(),
  ])
  const groupPolicies = new Map<string, string[]>()
  for (const { policy, groups: holders } of entities.policies) {
    for (const group of holders) groupPolicies.set(group, [...(groupPolicies.get(group) ?? []), policy])
  }
  return {
    caller,
    users: new Set(users.map(({ accessKey }) => accessKey)),
    groups: new Set(groups),
    policies: new Map(Object.entries(policies)),
    accounts: new Map(
      Object.entries(accounts).flatMap(([parent, keys]) => keys.map(({ accessKey }) => [accessKey, parent] as const)),
    ),
    userPolicies: new Map(users.filter(({ policies }) => policies.length > 0).map((u) => [u.accessKey, u.policies])),
    groupPolicies,
  }
}

function noneIfUnsupported(error: unknown): Record<string, never[]> {
  if (error instanceof MadminError && error.unsupported) return {}
  throw error
}
