import type { IamImportChange } from '@stowage/contract/policies/iam-archive'
import { compilePolicy, evaluateCapability, policyFromJson } from '@stowage/iam-policy'
import { asText } from '@stowage/madmin/json'
import type { ZipArchiveEntry } from '@stowage/madmin/zip'

/** The files of an archive by name, such as `users`; each has entries by name. */
export type IamFiles = ReadonlyMap<string, ReadonlyMap<string, unknown>>

/** The present state of the server. */
export interface PresentIam {
  users: ReadonlySet<string>
  groups: ReadonlySet<string>
  /** Policy documents by name. */
  policies: ReadonlyMap<string, unknown>
  /** Parent users by access key; empty if the server cannot list them. */
  accounts: ReadonlyMap<string, string>
  userPolicies: ReadonlyMap<string, readonly string[]>
  groupPolicies: ReadonlyMap<string, readonly string[]>
  /** The signed-in user: root is not in the list of users. */
  caller: string
}

const FOLDER = 'iam-assets/'
const SECRETS = ['users', 'svcaccts']

/** @returns undefined if this is not an IAM archive */
export function readIamFiles(entries: readonly ZipArchiveEntry[]): IamFiles | undefined {
  const files = new Map<string, ReadonlyMap<string, unknown>>()
  for (const { name, content } of entries) {
    const [, file] = /^iam-assets\/([a-z_]+)\.json$/.exec(name) ?? []
    if (file === undefined) continue
    const value = parse(content)
    if (!isObject(value)) return undefined
    files.set(file, new Map(Object.entries(value)))
  }
  return files.size === 0 ? undefined : files
}

export function writeIamFiles(files: IamFiles): ZipArchiveEntry[] {
  return [...files].map(([name, entries]) => ({
    name: `${FOLDER}${name}.json`,
    content: Buffer.from(JSON.stringify(Object.fromEntries(entries))),
  }))
}

/** Returns the archive without secret keys. It can change existing users and accounts, but not create new ones. */
export function iamFilesWithoutSecrets(files: IamFiles): IamFiles {
  return mapEntries(files, (file, value) => {
    if (!SECRETS.includes(file) || !isObject(value)) return value
    const { secretKey: _, ...rest } = value
    return rest
  })
}

/** Returns what an import would do, and the archive without refused entries. */
export function planIamImport(
  files: IamFiles,
  present: PresentIam,
): { changes: IamImportChange[]; accepted: IamFiles } {
  const changes: IamImportChange[] = []
  const accepted = new Map<string, Map<string, unknown>>()
  const plan = new IamImportPlan(files, present)
  for (const [file, kind] of KINDS) {
    const kept = new Map<string, unknown>()
    for (const [name, value] of files.get(file) ?? []) {
      const change = plan.planChange(kind, name, isObject(value) ? value : {})
      changes.push(change)
      if (change.state !== 'refused') kept.set(name, value)
    }
    if (files.has(file)) accepted.set(file, kept)
  }
  return { changes, accepted }
}

const KINDS: readonly (readonly [file: string, kind: IamImportChange['kind']])[] = [
  ['policies', 'policy'],
  ['users', 'user'],
  ['groups', 'group'],
  ['svcaccts', 'service-account'],
  ['user_mappings', 'user-policies'],
  ['group_mappings', 'group-policies'],
  ['stsuser_mappings', 'directory-policies'],
]

type Entry = Readonly<Record<string, unknown>>
type PlannedState = Pick<IamImportChange, 'state'> & Partial<Pick<IamImportChange, 'note' | 'administrator'>>

class IamImportPlan {
  /** Users that exist, or will exist after the import. */
  readonly #users: Set<string>
  readonly #groups: ReadonlySet<string>

  constructor(
    private readonly files: IamFiles,
    private readonly present: PresentIam,
  ) {
    const made = [...(files.get('users') ?? [])].filter(
      ([, value]) => isObject(value) && asText(value.secretKey) !== '',
    )
    this.#users = new Set([...present.users, ...made.map(([name]) => name)])
    this.#groups = new Set([...present.groups, ...(files.get('groups')?.keys() ?? [])])
    if (!present.users.has(present.caller)) this.#users.delete(present.caller)
  }

  planChange(kind: IamImportChange['kind'], name: string, entry: Entry): IamImportChange {
    return { kind, name, administrator: false, ...this.#plannedState(kind, name, entry) }
  }

  #plannedState(kind: IamImportChange['kind'], name: string, entry: Entry): PlannedState {
    const { present } = this
    switch (kind) {
      case 'policy': {
        const before = present.policies.get(name)
        if (before === undefined) return { state: 'new' }
        return { state: canonical(before) === canonical(entry) ? 'same' : 'replaced' }
      }
      case 'user': {
        if (name === present.caller && !present.users.has(name)) return refused('This is the root user.')
        if (present.users.has(name)) return { state: asText(entry.secretKey) === '' ? 'same' : 'replaced' }
        return this.#users.has(name) ? { state: 'new' } : refused('The archive has no secret key of this user.')
      }
      case 'group': {
        const members = Array.isArray(entry.members) ? entry.members.map(asText) : []
        const missing = members.find((member) => !this.#users.has(member))
        if (missing !== undefined) return refused(`The member ${missing} is not a user.`)
        return { state: present.groups.has(name) ? 'replaced' : 'new' }
      }
      case 'service-account':
        return this.#account(name, entry)
      default:
        return this.#mapping(kind, name, entry)
    }
  }

  #account(name: string, entry: Entry): PlannedState {
    const parent = asText(entry.parent)
    // Those of root as well: root is not in the list of users.
    if (!this.#users.has(parent)) return refused(`The parent ${parent || '(none)'} is not a user.`)
    const before = this.present.accounts.get(name)
    if (before !== undefined && before !== parent) return refused(`The access key belongs to ${before}.`)
    if (before === undefined && asText(entry.secretKey) === '')
      return refused('The archive has no secret key of this service account.')
    return { state: before === undefined ? 'new' : 'replaced', note: parent }
  }

  #mapping(kind: IamImportChange['kind'], name: string, entry: Entry): PlannedState {
    const { present, files } = this
    const policies = asText(entry.policy)
      .split(',')
      .filter((each) => each !== '')
    const isDn = name.includes('=')
    const there = kind === 'group-policies' ? this.#groups.has(name) : this.#users.has(name)
    if (!there && !isDn) return refused(`${name} is not a user or group.`)
    const document = (policy: string) => files.get('policies')?.get(policy) ?? present.policies.get(policy)
    const missing = policies.find((policy) => document(policy) === undefined)
    if (missing !== undefined) return refused(`The policy ${missing} does not exist.`)
    const known = kind === 'group-policies' ? present.groupPolicies : present.userPolicies
    const before = known.get(name)
    const same = before?.length === policies.length && policies.every((policy) => before.includes(policy))
    return {
      state: same ? 'same' : before ? 'replaced' : 'new',
      note: policies.join(', '),
      administrator: !same && policies.some((policy) => makesAdministrators(document(policy))),
    }
  }
}

/** Whether a policy allows its holders to make others administrators. */
function makesAdministrators(document: unknown): boolean {
  try {
    const access = { policies: [compilePolicy(policyFromJson(document), { name: 'archive' })] }
    return (['admin:CreatePolicy', 'admin:AttachUserOrGroupPolicy'] as const).some(
      (action) => evaluateCapability(access, { action }).decision !== 'deny',
    )
  } catch {
    // The server refuses a policy that cannot be parsed.
    return false
  }
}

function canonical(document: unknown): string {
  try {
    return JSON.stringify(policyFromJson(document))
  } catch {
    return JSON.stringify(document)
  }
}

const refused = (note: string): PlannedState => ({ state: 'refused', note })

function mapEntries(files: IamFiles, change: (file: string, value: unknown) => unknown): IamFiles {
  return new Map(
    [...files].map(([file, entries]) => [
      file,
      new Map([...entries].map(([name, value]) => [name, change(file, value)])),
    ]),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    return undefined
  }
}
