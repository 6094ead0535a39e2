import { ApiFailure, call } from '../../lib/api/api.ts'
import { enter, rememberUser } from '../../lib/session/session.ts'

/** An answer of success may still tell an error. */
function check(answer: unknown) {
  const error = (answer as { error?: string } | undefined)?.error
  if (error) throw new ApiFailure(401, { message: error })
}

/** Signs in by access key and secret key, and goes on to the page that was asked for. */
export async function signInByForm(accessKey: string, secretKey: string): Promise<void> {
  check(await call('login', { body: { accessKey, secretKey } }))
  rememberUser(accessKey)
  await enter()
}

/** Signs in by a service account's JWT. */
export async function signInByJwt(jwt: string): Promise<void> {
  check(await call('loginOperator', { body: { jwt } }))
  await enter()
}
