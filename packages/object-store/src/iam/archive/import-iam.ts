import { isDeepStrictEqual } from 'node:util'
import type { AdminActionName } from '@stowage/iam-policy'
import type { ZipArchiveEntry } from '@stowage/madmin/zip'
import { z } from 'zod'
import { normalizeDn } from '../../lib/distinguished-name.ts'
import { S3Error } from '../../lib/errors.ts'
import { cannedPolicyText } from '../canned-policies.ts'
import { checkSecretKey } from '../check-secret-key.ts'
import type { PendingIamChange } from '../collection.ts'
import type { Iam } from '../iam.ts'
import { checkIamName } from '../iam-names.ts'
import type { MappingRecord } from '../iam-records.ts'
import { parseIamPolicy } from '../policies.ts'
import { checkAccountLabels, MAX_ACCOUNTS_OF_USER, normalizeEmbeddedPolicy } from '../service-accounts.ts'
import { ARCHIVE_FILES, type ArchiveFile } from './archive-files.ts'

/** The result for each name of an archive, in MinIO's form. */
export interface ImportReport {
  skipped: ReportedNames
  removed: ReportedNames
  added: ReportedNames
  failed: ReportedFailures
}
type ReportKind = 'policies' | 'users' | 'groups' | 'serviceAccounts' | 'userPolicies' | 'groupPolicies' | 'stsPolicies'
type ReportedNames = Partial<Record<ReportKind, (string | Record<string, string[]>)[]>>
/**
 * madmin-go decodes `error` into an interface of Go, which fails for any value (v3.0.109, iam-migrate.go IAMErrEntity). mc then
 * sends the archive to `import-iam`, whose success it reports. So the reason is in a field of our own.
 */
type ReportedFailures = Partial<Record<ReportKind, { name: string; message: string }[]>>

/** The caller of the import. */
export interface ImportCaller {
  /** The caller's own user, which cannot be enabled or disabled. */
  user: string
  /** Policies that restrict the caller. They also restrict the imported service accounts. */
  narrowedBy: readonly string[]
  /** Throws if the caller has no right to this action. */
  require(action: AdminActionName): void
}

const status = z.enum(['enabled', 'disabled'])
const User = z.object({ secretKey: z.string().optional(), status: status.default('enabled') })
const Group = z.object({ status: status.default('enabled'), members: z.array(z.string()).nullish() })
const Mapping = z.object({ policy: z.string().default('') })
const Account = z.object({
  parent: z.string(),
  secretKey: z.string().optional(),
  sessionPolicy: z.unknown().optional(),
  bounds: z.array(z.record(z.string(), z.unknown())).optional(),
  status: z.enum(['on', 'off']).default('on'),
  name: z.string().nullish(),
  description: z.string().nullish(),
  expiration: z.string().nullish(),
})

/**
 * Imports an archive. Replaces existing entries with the same names, and keeps all others. Entries that cannot be imported are
 * reported; the rest is imported in one transaction. With `whole`, nothing is imported if any entry cannot be.
 * @throws S3Error InvalidRequest (invalid archive), AccessDenied (a right is missing; then nothing is imported)
 */
export async function importIam(
  iam: Iam,
  entries: readonly ZipArchiveEntry[],
  importer: ImportCaller,
  { whole = false } = {},
): Promise<ImportReport> {
  const files = readFiles(entries)
  let report: ImportReport | undefined
  await iam.update(() => {
    const run = new RunningImport(iam, importer)
    for (const name of ARCHIVE_FILES)
      for (const [key, value] of files.get(name) ?? []) run.importEntry(name, key, value)
    report = run.report
    return whole && Object.keys(run.report.failed).length > 0 ? [] : run.changes()
  })
  return report ?? { skipped: {}, removed: {}, added: {}, failed: {} }
}

/** @throws S3Error InvalidRequest */
function readFiles(entries: readonly ZipArchiveEntry[]): Map<ArchiveFile, [string, unknown][]> {
  const files = new Map<ArchiveFile, [string, unknown][]>()
  for (const { name, content } of entries) {
    const file = ARCHIVE_FILES.find((each) => name === `iam-assets/${each}.json`)
    if (!file) continue
    let value: unknown
    try {
      value = JSON.parse(content.toString('utf8'))
    } catch (cause) {
      throw new S3Error('InvalidRequest', `${name} is not valid JSON.`, { cause })
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new S3Error('InvalidRequest', `${name} must be an object.`)
    }
    files.set(file, Object.entries(value))
  }
  if (files.size === 0) throw new S3Error('InvalidRequest', 'The archive has no files of IAM (iam-assets/…).')
  return files
}

/** A running import: the current state, and the changes. */
class RunningImport {
  readonly report: ImportReport = { skipped: {}, removed: {}, added: {}, failed: {} }
  /** By collection and normalized name, because an archive may spell a distinguished name in two ways. */
  readonly #changes = new Map<string, PendingIamChange>()
  readonly #policies = new Set<string>()
  readonly #users = new Set<string>()
  readonly #groups = new Set<string>()
  /** Number of service accounts per user. */
  readonly #accounts = new Map<string, number>()
  /** The access keys of the sessions of each user. */
  readonly #sessions = new Map<string, string[]>()

  constructor(
    private readonly iam: Iam,
    private readonly importer: ImportCaller,
  ) {
    for (const [, { parent }] of iam.serviceAccounts.entries()) {
      this.#accounts.set(parent, (this.#accounts.get(parent) ?? 0) + 1)
    }
    for (const [accessKey, { parent }] of iam.sessions.entries()) {
      this.#sessions.set(parent, [...(this.#sessions.get(parent) ?? []), accessKey])
    }
  }

  changes(): PendingIamChange[] {
    return [...this.#changes.values()]
  }

  /** @throws S3Error AccessDenied */
  importEntry(file: ArchiveFile, name: string, value: unknown): void {
    const [kind, importOne] = this.#importerFor(file)
    try {
      const added = importOne(name, value)
      const reported = file.endsWith('_mappings') ? { [name]: added === 'same' ? [] : added } : name
      const list = added === 'same' ? this.report.skipped : this.report.added
      list[kind] = [...(list[kind] ?? []), reported]
    } catch (error) {
      if (error instanceof z.ZodError) this.#fail(kind, name, 'The entry is not valid.')
      else if (error instanceof S3Error && error.code !== 'AccessDenied') this.#fail(kind, name, error.message)
      else throw error
    }
  }

  #importerFor(file: ArchiveFile): [ReportKind, (name: string, value: unknown) => 'same' | string[]] {
    switch (file) {
      case 'policies':
        return ['policies', (name, value) => this.#policy(name, value)]
      case 'users':
        return ['users', (name, value) => this.#user(name, User.parse(value))]
      case 'groups':
        return ['groups', (name, value) => this.#group(name, Group.parse(value))]
      case 'svcaccts':
        return ['serviceAccounts', (name, value) => this.#account(name, Account.parse(value))]
      case 'user_mappings':
        return ['userPolicies', (name, value) => this.#mapping('user', name, Mapping.parse(value))]
      case 'group_mappings':
        return ['groupPolicies', (name, value) => this.#mapping('group', name, Mapping.parse(value))]
      case 'stsuser_mappings':
        return ['stsPolicies', (name, value) => this.#mapping('user', name, Mapping.parse(value))]
    }
  }

  #fail(kind: ReportKind, name: string, error: string): void {
    this.report.failed[kind] = [...(this.report.failed[kind] ?? []), { name, message: error }]
  }

  #add(change: PendingIamChange): string[] {
    this.#changes.set(`${change.document.collection}/${change.document.name}`, change)
    return []
  }

  #policy(name: string, value: unknown): 'same' | string[] {
    const { iam } = this
    const document = parseIamPolicy(JSON.stringify(value))
    const present = iam.policies.get(name)
    if (!present) checkIamName('policy', name)
    this.#policies.add(name)
    if ((present?.document ?? normalizePolicy(cannedPolicyText(name))) === document) return 'same'
    this.importer.require('admin:CreatePolicy')
    const now = iam.now()
    return this.#add(iam.policies.change(name, { document, createdAt: present?.createdAt ?? now, updatedAt: now }))
  }

  #user(name: string, { secretKey, status }: z.infer<typeof User>): 'same' | string[] {
    const { iam, importer } = this
    const present = iam.users.get(name)
    if (name === iam.root.accessKey || iam.sessions.has(name) || iam.serviceAccounts.has(name)) {
      throw refusedEntry('The name is taken by the root user or by an access key.')
    }
    if (!present) checkIamName('user', name)
    // An archive without secrets can change existing users, but not create users.
    const secret = secretKey || present?.secretKey
    if (secret === undefined) throw refusedEntry('The archive has no secret key of this user.')
    if (secret !== present?.secretKey) checkSecretKey(secret)
    this.#users.add(name)
    if (present?.secretKey === secret && present.status === status) return 'same'
    if (!present || present.secretKey !== secret) importer.require('admin:CreateUser')
    if (present && present.status !== status) {
      if (name === importer.user) throw refusedEntry('Nobody can change their own status.')
      importer.require(status === 'enabled' ? 'admin:EnableUser' : 'admin:DisableUser')
    }
    if (present && present.secretKey !== secret) this.#endSessions(name)
    return this.#add(iam.users.change(name, { secretKey: secret, status, updatedAt: iam.now() }))
  }

  #group(name: string, { status, members }: z.infer<typeof Group>): 'same' | string[] {
    const { iam, importer } = this
    const present = iam.groups.get(name)
    if (!present) checkIamName('group', name)
    const all = [...new Set([...(present?.members ?? []), ...(members ?? [])])]
    const missing = all.find((member) => !this.#hasUser(member))
    if (missing !== undefined) throw refusedEntry(`The member ${missing} does not exist.`)
    this.#groups.add(name)
    if (present?.status === status && present.members.length === all.length) return 'same'
    if (!present || present.members.length < all.length) importer.require('admin:AddUserToGroup')
    if (present && present.status !== status) {
      importer.require(status === 'enabled' ? 'admin:EnableGroup' : 'admin:DisableGroup')
    }
    return this.#add(iam.groups.change(name, { members: all, status, updatedAt: iam.now() }))
  }

  #account(accessKey: string, account: z.infer<typeof Account>): 'same' | string[] {
    const { iam, importer } = this
    const present = iam.serviceAccounts.get(accessKey)
    const { parent, status } = account
    if (parent === iam.root.accessKey) throw refusedEntry('Service accounts of the root user cannot be imported.')
    if (!this.#hasUser(parent)) throw refusedEntry('The parent of this service account is not a user.')
    if (present && present.parent !== parent)
      throw refusedEntry('The access key is of a service account of another user.')
    if (accessKey === iam.root.accessKey || this.#hasUser(accessKey) || iam.sessions.has(accessKey)) {
      throw refusedEntry('The access key is taken.')
    }
    if (!present) checkIamName('user', accessKey)
    const secretKey = account.secretKey || present?.secretKey
    if (secretKey === undefined) throw refusedEntry('The archive has no secret key of this service account.')
    checkSecretKey(secretKey)
    const [name, description] = [account.name ?? '', account.description ?? '']
    checkAccountLabels(name, description)
    const policy =
      account.sessionPolicy == null ? undefined : normalizeEmbeddedPolicy(JSON.stringify(account.sessionPolicy))
    const written = (account.bounds ?? []).map((bound) => parseIamPolicy(JSON.stringify(bound)))
    const bounds = [...new Set([...written, ...(present?.bounds ?? []), ...importer.narrowedBy])]
    const expiresAt = Date.parse(account.expiration ?? '')
    if (account.expiration && Number.isNaN(expiresAt)) throw refusedEntry('The expiration is not a time.')
    if (expiresAt > 0 && expiresAt <= iam.now()) throw refusedEntry('The service account has expired.')
    const unchanged =
      present?.secretKey === secretKey &&
      present.status === status &&
      present.policy === policy &&
      (present.name ?? '') === name &&
      (present.description ?? '') === description &&
      (present.expiresAt ?? 0) === (expiresAt > 0 ? expiresAt : 0) &&
      isDeepStrictEqual(new Set(present.bounds), new Set(bounds))
    if (unchanged) return 'same'
    this.#countAccount(parent, present !== undefined)
    importer.require('admin:CreateServiceAccount')
    return this.#add(
      iam.serviceAccounts.change(accessKey, {
        secretKey,
        parent,
        status,
        ...(policy === undefined ? {} : { policy }),
        ...(bounds.length === 0 ? {} : { bounds }),
        ...(name === '' ? {} : { name }),
        ...(description === '' ? {} : { description }),
        ...(expiresAt > 0 ? { expiresAt } : {}),
        updatedAt: iam.now(),
      }),
    )
  }

  #mapping(kind: 'user' | 'group', name: string, { policy }: z.infer<typeof Mapping>): 'same' | string[] {
    const { iam, importer } = this
    const policies = [...new Set(policy.split(',').map((each) => each.trim()))].filter((each) => each !== '')
    const missing = policies.find((each) => !this.#policies.has(each) && iam.policyText(each) === undefined)
    if (missing !== undefined) throw refusedEntry(`The policy ${missing} does not exist.`)
    const dn = normalizeDn(name)
    const there = kind === 'user' ? this.#hasUser(name) : this.#groups.has(name) || iam.groups.has(name)
    if (!there && dn === undefined) throw refusedEntry(`The ${kind} does not exist.`)
    const mappings =
      kind === 'user'
        ? there
          ? iam.userPolicies
          : iam.ldapUserPolicies
        : there
          ? iam.groupPolicies
          : iam.ldapGroupPolicies
    const key = there ? name : (dn ?? name)
    const present = mappings.get(key)?.policies ?? []
    if (present.length === policies.length && policies.every((each) => present.includes(each))) return 'same'
    importer.require('admin:AttachUserOrGroupPolicy')
    const record: MappingRecord | undefined = policies.length === 0 ? undefined : { policies, updatedAt: iam.now() }
    this.#add(mappings.change(key, record))
    return policies
  }

  /** Ends the sessions of a user, which may have been opened with the old secret key. */
  #endSessions(user: string): void {
    for (const accessKey of this.#sessions.get(user) ?? []) this.#add(this.iam.sessions.change(accessKey, undefined))
  }

  #hasUser(name: string): boolean {
    return this.#users.has(name) || this.iam.users.has(name)
  }

  #countAccount(parent: string, isThere: boolean): void {
    const count = (this.#accounts.get(parent) ?? 0) + (isThere ? 0 : 1)
    if (count > MAX_ACCOUNTS_OF_USER) throw refusedEntry(`A user has at most ${MAX_ACCOUNTS_OF_USER} service accounts.`)
    this.#accounts.set(parent, count)
  }
}

const normalizePolicy = (text: string | undefined) => (text === undefined ? undefined : parseIamPolicy(text))

const refusedEntry = (message: string) => new S3Error('XMinioInvalidResource', message)
