import type { Endpoint } from '@stowage/contract'
import { ApiFailure, call, request } from '../../lib/api.ts'
import { enter, rememberUser } from '../../lib/session.ts'

/** Spoken by consoles in operator mode only; it comes into the contract with that mode. */
const loginOperator: Endpoint = {
  method: 'POST',
  path: '/api/v1/login/operator',
  summary: 'Sign in with a JWT',
  body: 'json',
  status: 201,
  answer: 'json',
  access: 'anonymous',
}

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
  check(await request(loginOperator, { body: { jwt } }))
  await enter()
}
