import { reason } from '@stowage/contract'
import { type AccessKey, serviceAccountCalls } from '@stowage/contract/service-accounts/service-accounts'
import { policyFromJson } from '@stowage/iam-policy'
import {
  type ListedAccount,
  type ListedOpenIdAccount,
  type Madmin,
  MadminError,
  type ServiceAccountInfo,
} from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import pMap from 'p-map'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { formatPolicyText, parsePolicyText } from '../../lib/permissions/policy-text.ts'
import type { SessionPayload } from '../../lib/session/session-payload.ts'

type Account = ServiceAccountInfo | ListedAccount | ListedOpenIdAccount

/** Users whose service accounts are read at the same time if the server cannot list all. */
const CONCURRENCY = 4

export function serviceAccountRoutes(app: FastifyInstance): void {
  serve(app, serviceAccountCalls.listServiceAccounts, async (_input, { madmin }) => {
    return sortedAccessKeys(await madmin.listServiceAccounts())
  })

  serve(app, serviceAccountCalls.createServiceAccount, async ({ body }, { madmin, session }) => {
    return await madmin.addServiceAccount(newAccount(body, session))
  })

  serve(app, serviceAccountCalls.createServiceAccountCredentials, async ({ body }, { madmin, session }) => {
    const { accessKey, secretKey } = body
    return await addNamedAccount(madmin, { ...newAccount(body, session), accessKey, secretKey })
  })

  serve(app, serviceAccountCalls.getServiceAccount, async ({ params: { accessKey } }, { madmin }) => {
    const account = await madmin.getServiceAccount(accessKey)
    return { ...wireKey(account), policy: formatPolicyText(policyFromJson(account.policy)) }
  })

  serve(app, serviceAccountCalls.updateServiceAccount, async ({ params: { accessKey }, body }, { madmin }) => {
    await madmin.updateServiceAccount(accessKey, body)
  })

  serve(app, serviceAccountCalls.deleteServiceAccount, async ({ params: { accessKey } }, { madmin }) => {
    await madmin.deleteServiceAccount(accessKey)
  })

  serve(app, serviceAccountCalls.listUserServiceAccounts, async ({ params: { user } }, { madmin }) => {
    return sortedAccessKeys(await madmin.listServiceAccounts({ user }))
  })

  serve(app, serviceAccountCalls.createUserServiceAccount, async ({ params, body }, { madmin, session }) => {
    return await madmin.addServiceAccount({ ...newAccount(body, session), targetUser: params.user })
  })

  serve(app, serviceAccountCalls.createUserServiceAccountCredentials, async ({ params, body }, { madmin, session }) => {
    const { accessKey, secretKey } = body
    return await addNamedAccount(madmin, {
      ...newAccount(body, session),
      targetUser: params.user,
      accessKey,
      secretKey,
    })
  })

  serve(app, serviceAccountCalls.listAccessKeys, async ({ query: { user, all } }, { madmin, session }) => {
    const accounts = all ? await listAllAccounts(madmin) : await madmin.listServiceAccounts({ user })
    // Servers of 2021 list access keys only.
    const keys = accounts.map((account) =>
      wireKey({ ...account, parentUser: account.parentUser || user || session.user }),
    )
    return { keys: keys.sort((a, b) => (a.accessKey < b.accessKey ? -1 : 1)) }
  })
}

/** Sorted, because the order of MinIO's list changes each time. */
const sortedAccessKeys = (accounts: readonly ServiceAccountInfo[]): string[] =>
  accounts.map(({ accessKey }) => accessKey).sort()

interface NewAccount {
  policy: string
  name?: string | undefined
  description?: string | undefined
  expiration?: string | undefined
}

function newAccount({ policy, name, description, expiration }: NewAccount, { capabilities }: SessionPayload) {
  const document = policy.trim() === '' ? undefined : parsePolicyText(policy, capabilities, 'service-account')
  return { policy: document, name, description, expiration }
}

type NewServiceAccount = NonNullable<Parameters<Madmin['addServiceAccount']>[0]>

/** @throws HttpError 409 if the access key exists and the caller may see it; servers answer 400 without its name */
async function addNamedAccount(madmin: Madmin, account: NewServiceAccount & { accessKey: string }) {
  const { accessKey } = account
  try {
    return await madmin.addServiceAccount(account)
  } catch (error) {
    if (!(error instanceof MadminError) || error.status !== 400) throw error
    const found = await Promise.allSettled([madmin.getServiceAccount(accessKey), madmin.getUser(accessKey)])
    if (!found.some(({ status }) => status === 'fulfilled')) throw error
    throw new HttpError(409, reason('access-key-exists', { accessKey }), { field: 'accessKey', cause: error })
  }
}

const flattenLists = <T>(lists: Record<string, T[]>): T[] => Object.values(lists).flat()

/** Lists the accounts of all users: built-in ones, and those of a directory and of OpenID providers. */
async function listAllAccounts(madmin: Madmin): Promise<Account[]> {
  const [builtIn, directory, openId] = await Promise.all([
    listBuiltInAccounts(madmin),
    madmin.listLdapAccessKeys().then(flattenLists).catch(noneIfRefused),
    madmin.listOpenIdAccessKeys().catch(noneIfRefused),
  ])
  return [...builtIn, ...directory, ...openId]
}

/**
 * A server without directory or providers refuses the list of their users; MinIO answers 403. A caller without the right cannot
 * list built-in users either.
 */
function noneIfRefused(error: unknown): never[] {
  if (!(error instanceof MadminError)) throw error
  if (error.isMissingCall || error.status === 403 || error.rawCode === 'OpenIDNotEnabled') return []
  throw error
}

async function listBuiltInAccounts(madmin: Madmin): Promise<Account[]> {
  try {
    return flattenLists(await madmin.listAccessKeys('all'))
  } catch (error) {
    if (!(error instanceof MadminError) || !error.unsupported) throw error
  }
  const users = await madmin.listUsers()
  const lists = await pMap(
    users,
    async ({ accessKey: user }) => {
      const accounts = await madmin.listServiceAccounts({ user })
      return accounts.map((account) => ({ ...account, parentUser: user }))
    },
    { concurrency: CONCURRENCY },
  )
  return lists.flat()
}

function wireKey(account: Account): AccessKey {
  const { accessKey, parentUser, name, description, expiration, status, impliedPolicy, createdAt, lastUsed } = account
  const detailed = !('detailed' in account) || account.detailed
  return {
    accessKey,
    user: parentUser,
    ...('ownerName' in account && account.ownerName !== '' ? { owner_name: account.ownerName } : {}),
    name,
    description,
    ...(expiration === undefined ? {} : { expiration }),
    ...(detailed ? { status, inherits: impliedPolicy } : {}),
    ...(createdAt === undefined ? {} : { created: createdAt }),
    ...(lastUsed === undefined ? {} : { last_used: lastUsed }),
  }
}
