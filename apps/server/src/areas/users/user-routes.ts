import { reason } from '@stowage/contract'
import { userCalls } from '@stowage/contract/users/users'
import { type AdminUser, type Madmin, MadminError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { PreparedAnswer } from '../../lib/http/prepared-answer.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { requireSameFields, settingQueue } from '../../lib/storage/setting-conflicts.ts'
import { setPolicies } from '../policies/policy-routes.ts'
import { changeGroups } from './change-groups.ts'

export function userRoutes(app: FastifyInstance): void {
  // By the list from the storage server, which is the same as long as nothing has changed.
  const answers = new WeakMap<readonly AdminUser[], PreparedAnswer<{ users: WireUser[] }>>()
  serve(app, userCalls.listUsers, async (_input, { madmin }) => {
    const users = await madmin.listUsers()
    const known = answers.get(users)
    if (known) return known
    const answer = new PreparedAnswer({ users: users.map(wireUser) })
    answers.set(users, answer)
    return answer
  })

  serve(app, userCalls.createUser, async ({ body }, context) => {
    await createUser(body, context)
    const { accessKey, groups, policies } = body
    return { accessKey, memberOf: groups, policy: policies, status: 'enabled' as const }
  })

  serve(app, userCalls.getUser, async ({ query: { name } }, { madmin }) => {
    const user = await readUser(madmin, name)
    return { ...wireUser(user), hasPolicy: user.policies.length > 0 || (await someGroupHasPolicy(madmin, user)) }
  })

  serve(app, userCalls.updateUser, async ({ query: { name }, body }, { madmin, noteBefore }) => {
    const { status, groups, policies, before } = body
    return await settingQueue.run(`user/${name}`, async () => {
      const user = await readUser(madmin, name)
      const present = { status: user.status, groups: user.memberOf, policies: user.policies }
      requireSameFields(before, present)
      await noteBefore(() => present)
      // Servers refuse policies for a disabled user, so enable a user before they are set, and disable it afterwards.
      if (status === 'enabled' && user.status !== status) await madmin.setUserStatus(name, status)
      if (groups) await setGroups(madmin, user, groups)
      if (policies && !sameNames(policies, user.policies)) {
        await setPolicies(madmin, { entityType: 'user', entityName: name }, policies)
      }
      if (status === 'disabled' && user.status !== status) await madmin.setUserStatus(name, status)
      return wireUser(await readUser(madmin, name))
    })
  })

  serve(app, userCalls.deleteUser, async ({ query: { name } }, { madmin, session }) => {
    if (name === session.user && session.idp === undefined) throw new HttpError(403, reason('own-user-not-deleted'))
    await withKnownUser(madmin.removeUser(name))
  })

  serve(app, userCalls.setUserGroups, async ({ query: { name }, body }, { madmin, noteBefore }) => {
    return await settingQueue.run(`user/${name}`, async () => {
      const user = await readUser(madmin, name)
      requireSameFields({ groups: body.before }, { groups: user.memberOf })
      await noteBefore(() => ({ groups: user.memberOf }))
      await setGroups(madmin, user, body.groups)
      return wireUser(await readUser(madmin, name))
    })
  })

  serve(app, userCalls.addUsersToGroups, async ({ body: { users, groups } }, { madmin }) => {
    await changeGroups(groups, (group) => madmin.addGroupMembers(group, users))
  })
}

interface NewUser {
  accessKey: string
  secretKey: string
  groups: readonly string[]
  policies: readonly string[]
}

/**
 * Creates a user with its groups and policies. If one of them is refused, deletes the user again.
 * @throws HttpError 409 if the user exists, because the server would replace its secret key
 */
async function createUser(wanted: NewUser, { madmin, detached, log }: SessionContext): Promise<void> {
  const { accessKey, secretKey, groups, policies } = wanted
  await settingQueue.run(`user/${accessKey}`, async () => {
    if (await userExists(madmin, accessKey)) throw new HttpError(409, reason('user-exists'), { field: 'accessKey' })
    await madmin.addUser(accessKey, { secretKey, status: 'enabled' })
  })
  try {
    await changeGroups(groups, (group) => madmin.addGroupMembers(group, [accessKey]))
    if (policies.length > 0) await setPolicies(madmin, { entityType: 'user', entityName: accessKey }, policies)
  } catch (error) {
    // Detached: the step may have failed because the caller disconnected.
    await detached()
      .madmin.removeUser(accessKey)
      .catch((left: unknown) =>
        log.error({ err: left }, 'could not remove a new user after its groups or policies failed'),
      )
    throw error
  }
}

async function userExists(madmin: Madmin, accessKey: string): Promise<boolean> {
  try {
    await madmin.getUser(accessKey)
    return true
  } catch (error) {
    if (error instanceof MadminError && error.code === 'XMinioAdminNoSuchUser') return false
    throw error
  }
}

/** @throws HttpError 404 with the message of the original */
export async function readUser(madmin: Madmin, name: string): Promise<AdminUser> {
  return await withKnownUser(madmin.getUser(name))
}

async function withKnownUser<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof MadminError) || error.code !== 'XMinioAdminNoSuchUser') throw error
    throw new HttpError(404, reason('user-not-found'), { detail: error.message, cause: error })
  }
}

async function setGroups(madmin: Madmin, user: AdminUser, wanted: readonly string[]): Promise<void> {
  const { accessKey, memberOf } = user
  const added = wanted.filter((group) => !memberOf.includes(group))
  const removed = memberOf.filter((group) => !wanted.includes(group))
  await changeGroups([...added, ...removed], (group) =>
    added.includes(group) ? madmin.addGroupMembers(group, [accessKey]) : madmin.removeGroupMembers(group, [accessKey]),
  )
}

async function someGroupHasPolicy(madmin: Madmin, { memberOf }: AdminUser): Promise<boolean> {
  for (const group of memberOf) {
    try {
      if ((await madmin.getGroup(group)).policies.length > 0) return true
    } catch (error) {
      // A user may read their own record without the right to read groups.
      if (!(error instanceof MadminError) || error.code !== 'AccessDenied') throw error
    }
  }
  return false
}

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name) => b.includes(name))

type WireUser = ReturnType<typeof wireUser>
function wireUser({ accessKey, status, memberOf, policies }: AdminUser) {
  return { accessKey, status, memberOf: [...memberOf], policy: [...policies] }
}
