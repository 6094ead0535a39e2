import { ApiFailure, call } from '../../lib/api/api.ts'
import { continueAfterSignIn, rememberUser } from '../../lib/session/session.ts'

/** Keys or, with `directory`, the name and password of a user of the directory. */
export interface FormCredentials {
  accessKey: string
  secretKey: string
  /** The session token of temporary keys. */
  sts?: string
  directory?: true
}

/** The credentials for a sign-in; `jwt` belongs to a service account of the cluster. */
export type SignInCredentials = FormCredentials | { jwt: string }

/** The state of the sign-in for its forms, which are disabled while it runs and regain the focus after a failure. */
export interface SignIn {
  run: (credentials: SignInCredentials) => void
  isPending: boolean
  failed: boolean
}

/** Signs in and opens the requested page. */
export async function signInWith(credentials: SignInCredentials): Promise<void> {
  const answer =
    'jwt' in credentials
      ? await call('loginOperator', { body: credentials })
      : await call('login', { body: credentials })
  // A successful response can contain an error.
  if (answer?.error) throw new ApiFailure(401, { message: answer.error })
  if ('accessKey' in credentials) rememberUser(credentials.accessKey)
  await continueAfterSignIn()
}
