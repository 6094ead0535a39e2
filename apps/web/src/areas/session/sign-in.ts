import { ApiFailure, call } from '../../lib/api/api.ts'
import { enter, rememberUser } from '../../lib/session/session.ts'

/** What the form asks for: keys, or with `directory` the name and password of a user of the directory. */
export interface FormCredentials {
  accessKey: string
  secretKey: string
  /** The session token of temporary keys. */
  sts?: string
  directory?: true
}

/** What somebody signs in with; `jwt` is of a service account of the cluster. */
export type Credentials = FormCredentials | { jwt: string }

/** The sign-in as its forms see it: they are out of use while it runs, and have the focus again after a failure. */
export interface SignIn {
  run: (credentials: Credentials) => void
  isPending: boolean
  failed: boolean
}

/** Signs in, and goes on to the page that was asked for. */
export async function signInWith(credentials: Credentials): Promise<void> {
  const answer =
    'jwt' in credentials
      ? await call('loginOperator', { body: credentials })
      : await call('login', { body: credentials })
  // An answer of success may still tell an error.
  if (answer?.error) throw new ApiFailure(401, { message: answer.error })
  if ('accessKey' in credentials) rememberUser(credentials.accessKey)
  await enter()
}
