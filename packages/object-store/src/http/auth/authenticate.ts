import { createHash } from 'node:crypto'
import {
  type Authorization,
  isVersion2Form,
  isVersion2Query,
  payloadMode,
  readAuthorization,
  readPostAuthorization,
  readVersion2Form,
  readVersion2Query,
  type SignableRequest,
  UNSIGNED_PAYLOAD,
  verifyPostPolicy,
  verifyRequest,
  verifyVersion2Form,
  verifyVersion2Query,
} from '@stowage/sigv4'
import { S3Error } from '../../lib/errors.ts'
import { formKey, isFormUpload, readFormUpload } from '../bodies/form-upload.ts'
import type { FormUpload, ReceivedForm } from '../call/authentication-result.ts'
import type { StoreCall } from '../call/call.ts'
import { checkPostPolicy, parsePostPolicy } from './post-policy.ts'

/*
 * Rules for all kinds of authentication:
 * - Credentials for one operation must not authenticate another one. A form only authenticates the PostObject described by its
 *   policy (the router allows nothing else), and a presigned URL only the request that it signs.
 * - The caller is set only after everything is checked: `call.authentication` is set last.
 * - A header that has an effect must be signed, otherwise the request is refused; sigv4's `coverage.ts` lists them.
 * - Data that is read before the caller is known is limited in size, number and time: `store.bodies`.
 */

/**
 * Authenticates S3 requests: by header, presigned query, form or as anonymous. Sets the caller and how the body is protected.
 * @throws S3Error and SignatureError with the codes of S3
 */
export async function authenticateS3(call: StoreCall): Promise<void> {
  if (isFormUpload(call)) return authenticateFormUpload(call)
  const request = signableRequest(call)
  if (call.store.version2 && isVersion2Query(request.query)) return authenticateVersion2(call, request)
  const authorization = readAuthorization(request)
  if (!authorization) {
    authenticateAnonymous(call)
    return
  }
  checkScope(call, authorization, 's3')
  const identity = call.store.identityFinder.find(authorization.accessKey, authorization.sessionToken)
  const seed = verifyRequest(request, authorization, identity.secretKey, { keys: call.store.signingKeys })
  call.authentication = {
    kind: authorization.kind === 'header' ? 'header' : 'presigned',
    identity,
    payload: payloadMode(authorization.payloadHash ?? UNSIGNED_PAYLOAD),
    seed,
    signedAt: authorization.time.getTime(),
  }
}

/** Authenticates a URL presigned with Signature Version 2. It does not sign bodies, so signed chunks are refused. */
function authenticateVersion2(call: StoreCall, request: SignableRequest): void {
  const authorization = readVersion2Query(request)
  const payload = payloadMode(call.header('x-amz-content-sha256') ?? UNSIGNED_PAYLOAD)
  if (payload.kind === 'chunked') {
    throw new S3Error('AccessDenied', 'A body of chunks needs a request that is signed with version 4.')
  }
  const { target, bucket, key } = call
  // If the path is the whole key, the bucket is in the host name.
  const hostedBucket = bucket !== '' && target.path === `/${key}` ? bucket : undefined
  const identity = call.store.identityFinder.find(authorization.accessKey, authorization.sessionToken)
  verifyVersion2Query({ ...request, hostedBucket }, identity.secretKey)
  call.authentication = { kind: 'presigned', version: 2, identity, payload }
}

function authenticateAnonymous(call: StoreCall): void {
  const payload = payloadMode(call.header('x-amz-content-sha256') ?? UNSIGNED_PAYLOAD)
  if (payload.kind === 'chunked' && payload.signed) {
    throw new S3Error('AccessDenied', 'A body of signed chunks needs a signed request.')
  }
  call.authentication = { kind: 'anonymous', identity: undefined, payload }
}

/** Authenticates a request of the admin API: only header signatures with a payload hash, for any region. */
export function authenticateAdmin(call: StoreCall): void {
  const request = signableRequest(call)
  const authorization = readAuthorization(request)
  if (authorization?.kind !== 'header' || authorization.payloadHash === undefined) {
    throw new S3Error('AccessDenied', 'Access Denied.')
  }
  checkService(authorization, 's3')
  const identity = call.store.identityFinder.find(authorization.accessKey, authorization.sessionToken)
  const seed = verifyRequest(request, authorization, identity.secretKey, { keys: call.store.signingKeys })
  call.authentication = { kind: 'header', identity, payload: payloadMode(authorization.payloadHash), seed }
}

/** Authenticates an STS request: a header signature with the hash of the form, which was already read. */
export function authenticateSts(call: StoreCall, body: Buffer): void {
  const request = signableRequest(call)
  const authorization = readAuthorization(request)
  if (authorization?.kind !== 'header') throw new S3Error('AccessDenied', 'Access Denied.')
  checkScope(call, authorization, 'sts')
  const identity = call.store.identityFinder.find(authorization.accessKey, authorization.sessionToken)
  const payloadHash = createHash('sha256').update(body).digest('hex')
  verifyRequest(request, authorization, identity.secretKey, { payloadHash })
  call.authentication = { kind: 'header', identity, payload: { kind: 'unsigned' } }
}

/**
 * Authenticates a browser form: either it has a signed policy, or the upload is anonymous. A policy allows only the upload that
 * it describes, so the caller is set only after everything is checked: time, bucket, key and all fields.
 */
async function authenticateFormUpload(call: StoreCall): Promise<void> {
  // The URL and headers of a form are not signed, so they must not have any effect.
  if (call.target.rawQuery !== '') {
    throw new S3Error('InvalidRequest', 'A form is posted to the URL of a bucket, without a query.')
  }
  if (call.header('authorization') !== undefined) {
    throw new S3Error('InvalidRequest', 'Only one authentication mechanism is allowed: the header or the form.')
  }
  // The form is read before the caller is known, because the signature is among the fields. Their size is limited.
  const form = await readFormUpload(call)
  const key = formKey(form)
  if (call.store.version2 && form.fields.policy !== undefined && isVersion2Form(form.fields)) {
    const signed = readVersion2Form(form.fields)
    const signer = call.store.identityFinder.find(signed.accessKey, signed.sessionToken)
    verifyVersion2Form(signed, signer.secretKey)
    const length = allowedLength(call, form, key, signed.policy)
    const upload = { ...form, key, length }
    call.authentication = { kind: 'form', version: 2, identity: signer, payload: { kind: 'unsigned' }, form: upload }
    return
  }
  const authorization = readPostAuthorization(form.fields)
  if (!authorization) {
    const upload = { ...form, key, length: undefined }
    call.authentication = { kind: 'anonymous', identity: undefined, payload: { kind: 'unsigned' }, form: upload }
    return
  }
  checkScope(call, authorization, 's3')
  const identity = call.store.identityFinder.find(authorization.accessKey, authorization.sessionToken)
  verifyPostPolicy(authorization, identity.secretKey, call.store.signingKeys)
  const upload = { ...form, key, length: allowedLength(call, form, key, authorization.policy) }
  call.authentication = { kind: 'form', identity, payload: { kind: 'unsigned' }, form: upload }
}

/** Checks a form against its policy. Returns the allowed file size in bytes. @throws S3Error if the policy forbids the form */
function allowedLength(call: StoreCall, { fields }: ReceivedForm, key: string, base64: string): FormUpload['length'] {
  const policy = parsePostPolicy(base64)
  checkPostPolicy(policy, fields, { bucket: call.bucket, key }, call.record.startedAt)
  return policy.length
}

function signableRequest({ request, target }: StoreCall): SignableRequest {
  return {
    method: request.method ?? '',
    path: target.rawPath,
    query: target.rawQuery,
    headers: request.headers,
  }
}

function checkScope(call: StoreCall, authorization: Pick<Authorization, 'scope'>, service: string): void {
  checkService(authorization, service)
  const { region } = authorization.scope
  if (region !== call.store.region && !call.store.anyRegion) {
    throw new S3Error(
      'AuthorizationHeaderMalformed',
      `The authorization header is malformed; the region '${region}' is wrong; expecting '${call.store.region}'`,
      { detail: { Region: call.store.region } },
    )
  }
}

function checkService({ scope }: Pick<Authorization, 'scope'>, service: string): void {
  if (scope.service !== service) {
    throw new S3Error(
      'AuthorizationHeaderMalformed',
      `The authorization header is malformed; incorrect service "${scope.service}". This endpoint belongs to "${service}".`,
    )
  }
}
