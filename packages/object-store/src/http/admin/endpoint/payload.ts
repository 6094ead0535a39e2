import { openAdminBody, sealAdminBody } from '@stowage/madmin/sealing'
import type { z } from 'zod'
import type { IamIdentity } from '../../../iam/identity.ts'
import { S3Error } from '../../../lib/errors.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'

/** Maximum length of a sealed body: 256 KiB and the overhead of sealing. */
const SEALED_BYTES = 262_272
const PLAIN_BYTES = 1024 * 1024

/**
 * Reads a body that was sealed with the caller's secret key.
 * @throws S3Error XMinioAdminConfigTooLarge (also for a body of unknown length), XMinioAdminConfigBadJSON
 */
export async function readSealed<T>(call: StoreCall, schema: z.ZodType<T>): Promise<T> {
  const text = await readSealedText(call)
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new S3Error('XMinioAdminConfigBadJSON', 'The body is not valid for this call.', { cause: error })
  }
}

/** Like `readSealed`, for a body that is not JSON. */
export async function readSealedText(call: StoreCall): Promise<string> {
  const length = Number(call.header('content-length') ?? Number.NaN)
  if (!(length <= SEALED_BYTES)) {
    throw new S3Error('XMinioAdminConfigTooLarge', 'The body must have a length of at most 262272 bytes.')
  }
  const sealed = await readRequestBody(call, SEALED_BYTES)
  try {
    return (await openAdminBody(sealed, callerSecretKey(call))).toString('utf8')
  } catch (error) {
    throw new S3Error(
      'XMinioAdminConfigBadJSON',
      'The body cannot be decrypted. Was it sealed with another secret key?',
      { cause: error },
    )
  }
}

/** Reads a plain JSON body. @throws S3Error XMinioMalformedJSON */
export async function readJson<T>(call: StoreCall, schema: z.ZodType<T>): Promise<T> {
  const body = await readRequestBody(call, PLAIN_BYTES)
  try {
    return schema.parse(JSON.parse(body.toString('utf8')))
  } catch (error) {
    throw new S3Error('XMinioMalformedJSON', 'The JSON you provided was not well-formed or did not validate.', {
      cause: error,
    })
  }
}

/** Answers with JSON sealed for the caller. */
export async function sendSealed(call: StoreCall, value: unknown): Promise<void> {
  await sendSealedText(call, JSON.stringify(value))
}

/** Answers with text sealed for the caller. */
export async function sendSealedText(call: StoreCall, text: string, headers: ResponseHeaders = {}): Promise<void> {
  const sealed = await sealAdminBody(text, callerSecretKey(call))
  call.text(sealed, 200, { ...headers, 'Content-Type': 'application/json' })
}

function callerSecretKey(call: StoreCall): string {
  return requireIdentity(call).secretKey
}

/** Returns the caller; the admin API is not available to anonymous callers. @throws S3Error AccessDenied */
export function requireIdentity(call: StoreCall): IamIdentity {
  if (!call.identity) throw new S3Error('AccessDenied', 'Access Denied.')
  return call.identity
}

/** Go's zero time, which means no time. */
export const ZERO_TIME = '0001-01-01T00:00:00Z'

export function wireTime(ms: number | undefined): string {
  return ms === undefined ? ZERO_TIME : new Date(ms).toISOString()
}

/** Returns a query parameter; empty if missing. */
export function queryParameter(call: StoreCall, name: string): string {
  return call.query.get(name) ?? ''
}

/** Reads `enabled` or `disabled`. @throws S3Error XMinioAdminInvalidArgument */
export function readStatusParameter(call: StoreCall): 'enabled' | 'disabled' {
  const status = queryParameter(call, 'status')
  if (status === 'enabled' || status === 'disabled') return status
  throw new S3Error('XMinioAdminInvalidArgument', 'The status must be enabled or disabled.')
}
