import { z } from 'zod'
import { routes } from '../call/route.ts'
import { SignInResult } from '../session/session.ts'
import { iamName, newSecretKey } from '../values/iam-names.ts'
import { accountEndpoints } from './endpoints.ts'

export const accountCalls = routes(accountEndpoints, {
  changePassword: {
    summary: "Change the caller's own secret key; returns a new session",
    body: z.object({ current_secret_key: z.string().min(1).max(1024), new_secret_key: newSecretKey }),
    response: SignInResult,
  },
  changeUserPassword: {
    summary: "Change the secret key of another user and end that user's sessions",
    body: z.object({ selectedUser: iamName, newSecretKey: newSecretKey }),
  },
  signOutEverywhere: { summary: 'End all sessions of the caller on the storage server, this one included' },
})
