import { reason } from '@stowage/contract'
import { type Egress, EgressError } from '@stowage/egress'
import { z } from 'zod'
import { HttpError } from '../../lib/errors/http-errors.ts'

/** Maximum size of an answer in bytes; a license has a few kilobytes. */
const ANSWER_BYTES = 64 << 10

const SubnetLogin = z.object({ token_info: z.object({ access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/) }) })
const IssuedLicense = z.object({ license: z.string().min(1).max(16_384) })

/** The service that issues licenses. It is contacted only when a user activates or refreshes a license. */
export interface SubnetService {
  egress: Egress
  url: string
}

/** @throws HttpError 400 for a wrong account, 502 */
export async function issueLicense(
  { egress, url }: SubnetService,
  { email, password }: { email: string; password: string },
  signal: AbortSignal,
): Promise<string> {
  const login = await postToSubnet(
    { egress, url },
    '/api/auth/login',
    SubnetLogin,
    { username: email, password },
    undefined,
    signal,
  )
  const token = login.token_info.access_token
  return (await postToSubnet({ egress, url }, '/api/auth/subscription/license-key', IssuedLicense, {}, token, signal))
    .license
}

/** @throws HttpError 502 */
export async function renewLicense(subnet: SubnetService, license: string, signal: AbortSignal): Promise<string> {
  return (
    await postToSubnet(subnet, '/api/auth/subscription/renew-license', IssuedLicense, { license }, undefined, signal)
  ).license
}

async function postToSubnet<T>(
  { egress, url }: SubnetService,
  path: string,
  schema: z.ZodType<T>,
  body: object,
  token: string | undefined,
  signal: AbortSignal,
): Promise<T> {
  try {
    const answer = await egress.request(url.replace(/\/$/, '') + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
      maxBytes: ANSWER_BYTES,
      signal,
    })
    return schema.parse(JSON.parse(answer.body.toString('utf8')))
  } catch (cause) {
    if (cause instanceof EgressError) {
      // Not 401, because that would end the console session.
      if (cause.status === 401 || cause.status === 403) throw new HttpError(400, reason('subnet-refused'), { cause })
      throw new HttpError(502, reason('subnet-failed'), { detail: cause.message, cause })
    }
    if (cause instanceof z.ZodError || cause instanceof SyntaxError)
      throw new HttpError(502, reason('subnet-failed'), { cause })
    throw cause
  }
}
