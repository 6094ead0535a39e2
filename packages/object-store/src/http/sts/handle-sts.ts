import { S3Error } from '../../lib/errors.ts'
import { authenticateSts } from '../auth/authenticate.ts'
import { readUnverifiedBody } from '../bodies/request-body.ts'
import type { StoreCall } from '../call/call.ts'
import { toErrorAnswer } from '../call/error-answer.ts'
import { handleAssumeRole } from './assume-role.ts'
import { handleAssumeRoleWithLdapIdentity } from './ldap-identity.ts'
import { handleAssumeRoleWithWebIdentity } from './web-identity.ts'

const FORM_BYTES = 64 * 1024
const VERSION = '2011-06-15'

/** Calls that are authenticated by the content of the form. */
const UNSIGNED: ReadonlyMap<string, (call: StoreCall, form: URLSearchParams) => Promise<void>> = new Map([
  ['AssumeRoleWithWebIdentity', handleAssumeRoleWithWebIdentity],
  ['AssumeRoleWithLDAPIdentity', handleAssumeRoleWithLdapIdentity],
])

/** Whether a request is for STS: a form posted to the root path. */
export function isStsRequest(call: StoreCall): boolean {
  const { request, target } = call
  if (request.method !== 'POST' || target.path !== '/') return false
  return request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
}

export async function handleSts(call: StoreCall): Promise<void> {
  const body = await readUnverifiedBody(call, FORM_BYTES)
  const form = new URLSearchParams(body.toString('utf8'))
  const action = form.get('Action') ?? ''
  if (action === '') throw new S3Error('MissingParameter', 'Missing Action')
  if (form.get('Version') !== VERSION) {
    throw new S3Error('MissingParameter', `Invalid STS API version ${form.get('Version') ?? ''}, expecting ${VERSION}`)
  }
  const unsigned = UNSIGNED.get(action)
  if (unsigned) {
    call.record.operation = action
    return await unsigned(call, form)
  }
  if (action !== 'AssumeRole') throw new S3Error('InvalidParameterValue', `Unsupported action ${action}`)
  call.record.operation = action
  try {
    authenticateSts(call, body)
  } catch (error) {
    // STS has one code for all refusals; the message contains the reason.
    throw new S3Error('AccessDenied', toErrorAnswer(error).message, { cause: error })
  }
  await handleAssumeRole(call, form)
}
