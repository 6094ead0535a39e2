import { z } from 'zod'
import { booleanQuery, listSchema, routes } from '../call/route.ts'
import { enabledStatus, iamName, newSecretKey } from '../values/iam-names.ts'
import { serviceAccountEndpoints } from './endpoints.ts'

/** The keys of a new service account. They cannot be read again. */
export const Credentials = z.object({ accessKey: z.string(), secretKey: z.string() })

export const AccessKey = z.object({
  accessKey: z.string(),
  /** The user that the key belongs to. */
  user: z.string(),
  /** The name of that user for people, if `user` is a hash: for users of an OpenID provider. */
  owner_name: z.string().optional(),
  /** Absent if the server returns access keys only, as MinIO does in the list of all users. */
  status: enabledStatus.optional(),
  name: z.string(),
  description: z.string(),
  /** RFC 3339. Absent if the key does not expire. */
  expiration: z.string().optional(),
  /** Whether the key has all permissions of its user; otherwise its own policy restricts it. Absent like `status`. */
  inherits: z.boolean().optional(),
  /** RFC 3339. Absent if unknown, as on MinIO. */
  created: z.string().optional(),
  /** The day of the last use in UTC: `2026-11-22`; empty for never. Absent if unknown, as on MinIO. */
  last_used: z.string().optional(),
})
export type AccessKey = z.infer<typeof AccessKey>

const labels = {
  /** At most 32 letters, digits, `_` and `-`, beginning with a letter. */
  name: z.string().max(32).optional(),
  description: z.string().max(256).optional(),
}
/** A policy (JSON text) that restricts the account's permissions. Blank for all permissions of the user. */
const policy = z.string().max(100_000).default('')

const NewAccount = z.object({
  policy,
  ...labels,
  /** RFC 3339, 15 minutes to 365 days from now. Absent for no expiry. */
  expiration: z.iso.datetime({ offset: true }).optional(),
})
const NewAccountWithKeys = NewAccount.extend({ accessKey: iamName, secretKey: z.string().min(1).max(1024) })

const accountParams = z.object({ accessKey: iamName })
const userParams = z.object({ user: iamName })

export const serviceAccountCalls = routes(serviceAccountEndpoints, {
  listServiceAccounts: { summary: "Access keys of the caller's service accounts", response: listSchema(z.string()) },
  createServiceAccount: {
    summary: 'Create a service account of the caller with generated keys',
    body: NewAccount,
    response: Credentials,
  },
  createServiceAccountCredentials: {
    summary: 'Create a service account of the caller with these keys',
    body: NewAccountWithKeys,
    response: Credentials,
  },
  getServiceAccount: {
    summary: 'One service account with its effective policy',
    params: accountParams,
    response: AccessKey.extend({
      /** JSON text. For a key that inherits, the policies of its user. */
      policy: z.string(),
    }),
  },
  updateServiceAccount: {
    summary: 'Change parts of a service account; its policy cannot be changed',
    params: accountParams,
    body: z.object({
      ...labels,
      status: enabledStatus.optional(),
      secretKey: newSecretKey.optional(),
      /** RFC 3339; null for no expiry. */
      expiration: z.iso.datetime({ offset: true }).nullish(),
    }),
  },
  deleteServiceAccount: { summary: 'Delete a service account', params: accountParams },
  listUserServiceAccounts: {
    summary: "Access keys of a user's service accounts",
    params: userParams,
    response: listSchema(z.string()),
  },
  createUserServiceAccount: {
    summary: 'Create a service account of a user with generated keys',
    params: userParams,
    body: NewAccount,
    response: Credentials,
  },
  createUserServiceAccountCredentials: {
    summary: 'Create a service account of a user with these keys',
    params: userParams,
    body: NewAccountWithKeys,
    response: Credentials,
  },
  listAccessKeys: {
    summary: "Service accounts with their details: the caller's, a user's, or those of all users",
    query: z.object({
      user: iamName.optional(),
      /** Lists those of all users, which needs admin:ListUsers and admin:ListServiceAccounts. */
      all: booleanQuery,
    }),
    response: z.object({ keys: listSchema(AccessKey) }),
  },
})
