import { createHash } from 'node:crypto'
import { type DefaultEncryption, keyArn, readKeyId } from '../../../bucket-settings/encryption-codec.ts'
import type { EncryptionRequest, ObjectEncryption } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { decodeDigest } from '../../bodies/checksums.ts'
import type { CustomerKey, ResponseHeaders, StoreCall } from '../../call/call.ts'
import { settingOperations } from '../settings/setting-calls.ts'

/* Server-side encryption in requests and answers. */

const ALGORITHM = 'x-amz-server-side-encryption'
const KEY_ID = `${ALGORITHM}-aws-kms-key-id`
const CONTEXT = `${ALGORITHM}-context`
const SOURCE_ALGORITHM = 'x-amz-copy-source-server-side-encryption'
const KEY_BYTES = 32

/**
 * Reads the customer keys of a request and removes them from its headers, so that they cannot be logged later. Must be called
 * after the signature is verified.
 * @throws S3Error InvalidArgument, InvalidRequest (the connection is not encrypted)
 */
export function takeCustomerKeys(call: StoreCall): void {
  const own = readCustomerKey(call, ALGORITHM)
  const ofSource = readCustomerKey(call, SOURCE_ALGORITHM)
  if (!own && !ofSource) return
  call.customerKeys = { own, ofSource }
  const { headers, rawHeaders } = call.request
  for (const prefix of [ALGORITHM, SOURCE_ALGORITHM]) {
    const name = `${prefix}-customer-key`
    delete headers[name]
    for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === name) rawHeaders[i + 1] = '...'
  }
}

function readCustomerKey(call: StoreCall, prefix: string): CustomerKey | undefined {
  const of = (name: string) => call.headerOrField(`${prefix}-customer-${name}`)
  const [algorithm, text, md5] = [of('algorithm'), of('key'), of('key-md5')]
  if (algorithm === undefined && text === undefined && md5 === undefined) return undefined
  if (!isKeyProtected(call)) {
    throw new S3Error(
      'InvalidRequest',
      'Requests specifying Server Side Encryption with Customer provided keys must be made over a secure connection.',
    )
  }
  const mustProvide = 'Requests specifying Server Side Encryption with Customer provided keys must provide'
  if (algorithm !== 'AES256') throw invalid(`${mustProvide} a valid encryption algorithm.`)
  if (text === undefined) throw invalid(`${mustProvide} an appropriate secret key.`)
  const key = decodeDigest(text, KEY_BYTES)
  if (!key) throw invalid('The secret key was invalid for the specified algorithm.')
  if (md5 === undefined) throw invalid(`${mustProvide} the client calculated MD5 of the secret key.`)
  if (md5 !== createHash('md5').update(key).digest('base64')) {
    throw invalid('The calculated MD5 hash of the key did not match the hash that was provided.')
  }
  return { key, md5 }
}

/** Whether a key is protected in transit: by TLS, or because the client is on this machine. */
function isKeyProtected({ record, request }: StoreCall): boolean {
  const address = request.socket.remoteAddress ?? ''
  return record.secure || address === '::1' || /^(::ffff:)?127\./.test(address)
}

/**
 * Returns the encryption that a write requests; undefined for the default of the bucket.
 * @throws S3Error InvalidArgument, NotImplemented
 */
export function requestedEncryption(call: StoreCall): EncryptionRequest | undefined {
  const algorithm = call.headerOrField(ALGORITHM)
  const keyId = readKeyId(call.headerOrField(KEY_ID))
  const customer = call.customerKeys.own
  if (customer) {
    if (algorithm === undefined && keyId === undefined) return { mode: 'SSE-C', key: customer.key }
    throw invalid(
      'Server Side Encryption with Customer provided key is incompatible with the encryption method specified',
    )
  }
  if (call.headerOrField(CONTEXT) !== undefined) {
    throw new S3Error('NotImplemented', `An encryption context (${CONTEXT}) is not supported.`)
  }
  if (algorithm === 'aws:kms') return { mode: 'SSE-KMS', keyId }
  if (keyId !== undefined) throw invalid(KMS_NEEDED)
  if (algorithm === undefined) return undefined
  if (algorithm === 'AES256') return { mode: 'SSE-S3' }
  throw invalid('The encryption method specified is not supported.')
}

const KMS_NEEDED =
  'Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : aws:kms'

/** Whether a request has encryption headers for its object. */
export function requestsEncryption(call: StoreCall): boolean {
  return call.headerOrField(ALGORITHM) !== undefined || call.customerKeys.own !== undefined
}

/** Returns the encryption headers of an answer. */
export function encryptionHeaders(call: StoreCall, encryption: ObjectEncryption | undefined): ResponseHeaders {
  const { own } = call.customerKeys
  return {
    ...algorithmHeaders(encryption),
    ...(encryption?.mode === 'SSE-KMS' && { [KEY_ID]: keyArn(encryption.keyId ?? '') }),
    ...(encryption?.mode === 'SSE-C' && own && { [`${ALGORITHM}-customer-key-MD5`]: own.md5 }),
  }
}

/** Returns the header that names how an object is encrypted. */
export function algorithmHeaders(encryption: ObjectEncryption | undefined): Record<string, string> {
  switch (encryption?.mode) {
    case undefined:
      return {}
    case 'SSE-S3':
      return { [ALGORITHM]: 'AES256' }
    case 'SSE-KMS':
      return { [ALGORITHM]: 'aws:kms' }
    case 'SSE-C':
      return { [`${ALGORITHM}-customer-algorithm`]: 'AES256' }
  }
}

export const bucketEncryption = settingOperations({
  setting: 'encryption',
  query: 'encryption',
  get: {
    name: 'GetBucketEncryption',
    absent: () =>
      new S3Error(
        'ServerSideEncryptionConfigurationNotFoundError',
        'The server side encryption configuration was not found',
      ),
  },
  put: {
    name: 'PutBucketEncryption',
    maxBytes: 64 * 1024,
    check: requireKnownKey,
  },
  delete: { name: 'DeleteBucketEncryption' },
})

/** Refuses a default key that does not exist, because all writes would fail. @throws S3Error KMS.NotFoundException */
export function requireKnownKey(call: StoreCall, encryption: DefaultEncryption): void {
  if (encryption.mode === 'SSE-S3' || encryption.keyId === undefined) return
  const { keyId } = encryption
  if (call.engine.hasEncryptionKey(keyId)) return
  throw new S3Error('KMS.NotFoundException', `There is no encryption key ${keyId}.`)
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidArgument', message)
}
