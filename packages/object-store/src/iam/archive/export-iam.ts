import type { ZipArchiveEntry } from '@stowage/madmin/zip'
import type { IamCollection } from '../collection.ts'
import type { Iam } from '../iam.ts'
import type { MappingRecord, ServiceAccountRecord } from '../iam-records.ts'
import { listPolicies } from '../policies.ts'
import { ARCHIVE_FILES, type ArchiveFile } from './archive-files.ts'

/**
 * Exports IAM in MinIO's format, with secret keys in plain text. Sessions are not exported, nor are service accounts of root
 * and of external users.
 */
export function exportIam(iam: Iam): ZipArchiveEntry[] {
  const contents: Record<ArchiveFile, unknown> = {
    policies: fromEntries([...listPolicies(iam)].map(([name, { document }]) => [name, JSON.parse(document)])),
    users: fromEntries([...iam.users.entries()].map(([name, { secretKey, status }]) => [name, { secretKey, status }])),
    groups: fromEntries(
      [...iam.groups.entries()].map(([name, { members, status, updatedAt }]) => [
        name,
        { version: 1, status, members, updatedAt: wireTime(updatedAt) },
      ]),
    ),
    svcaccts: fromEntries(
      [...iam.serviceAccounts.entries()]
        .filter(([, { parent, external }]) => !external && parent !== iam.root.accessKey)
        .map(([name, account]) => [name, wireServiceAccount(name, account)]),
    ),
    user_mappings: wireMappings(iam.userPolicies),
    group_mappings: { ...wireMappings(iam.groupPolicies), ...wireMappings(iam.ldapGroupPolicies) },
    // MinIO stores policies of LDAP users separately, by their distinguished names.
    stsuser_mappings: wireMappings(iam.ldapUserPolicies),
  }
  return ARCHIVE_FILES.map((name) => ({
    name: `iam-assets/${name}.json`,
    content: Buffer.from(JSON.stringify(contents[name])),
  }))
}

function wireServiceAccount(accessKey: string, account: ServiceAccountRecord): object {
  const { parent, secretKey, policy, bounds, status, name, description, expiresAt } = account
  return {
    parent,
    accessKey,
    secretKey,
    groups: null,
    claims: {
      accessKey,
      parent,
      'sa-policy': policy === undefined ? 'inherited-policy' : 'embedded-policy',
      ...(policy === undefined ? {} : { sessionPolicy: Buffer.from(policy).toString('base64') }),
    },
    sessionPolicy: policy === undefined ? null : JSON.parse(policy),
    // Only in this store: policies of the credential that created it.
    ...(bounds ? { bounds: bounds.map((text) => JSON.parse(text)) } : {}),
    status,
    name: name ?? '',
    description: description ?? '',
    expiration: wireTime(expiresAt ?? 0),
  }
}

function wireMappings(mappings: IamCollection<MappingRecord>): object {
  return fromEntries(
    [...mappings.entries()].map(([name, { policies, updatedAt }]) => [
      name,
      { version: 1, policy: policies.join(','), updatedAt: wireTime(updatedAt) },
    ]),
  )
}

const wireTime = (ms: number) => new Date(ms).toISOString()

/** Creates an object with sorted keys, so that the same state gives the same archive. */
const fromEntries = (entries: [string, unknown][]): object =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
