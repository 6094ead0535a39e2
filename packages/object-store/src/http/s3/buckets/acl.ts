import { S3Error } from '../../../lib/errors.ts'
import { children, parseXml, s3Document, xmlChild, xmlChildText, xmlTag } from '../../../lib/xml.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { OWNER_ID } from '../listing/owner.ts'

/*
 * Rights are granted by policies, never by ACLs. The only ACL is full control for the owner. Many clients read it, and some set
 * this same ACL.
 */

const BODY_BYTES = 64 * 1024

export const getBucketAcl: S3Operation = {
  name: 'GetBucketAcl',
  method: 'GET',
  level: 'bucket',
  query: ['acl'],
  handle(call) {
    call.engine.getBucket(call.bucket)
    call.xml(ACL)
  },
}

export const putBucketAcl: S3Operation = {
  name: 'PutBucketAcl',
  method: 'PUT',
  level: 'bucket',
  query: ['acl'],
  async handle(call) {
    call.engine.getBucket(call.bucket)
    await requirePrivate(call)
    call.empty(200)
  },
}

export const getObjectAcl: S3Operation = {
  name: 'GetObjectAcl',
  method: 'GET',
  level: 'object',
  query: ['acl'],
  handle(call) {
    call.engine.getObject(call.bucket, call.key)
    call.xml(ACL)
  },
}

export const putObjectAcl: S3Operation = {
  name: 'PutObjectAcl',
  method: 'PUT',
  level: 'object',
  query: ['acl'],
  async handle(call) {
    call.engine.getObject(call.bucket, call.key)
    await requirePrivate(call)
    call.empty(200)
  },
}

const FULL_CONTROL = 'FULL_CONTROL'
const GRANTEE =
  '<Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">' +
  `${xmlTag('ID', OWNER_ID)}</Grantee>`
const ACL = s3Document(
  'AccessControlPolicy',
  `<Owner>${xmlTag('ID', OWNER_ID)}<DisplayName></DisplayName></Owner>` +
    `<AccessControlList><Grant>${GRANTEE}${xmlTag('Permission', FULL_CONTROL)}</Grant></AccessControlList>`,
)

/** @throws S3Error NotImplemented for any other ACL */
async function requirePrivate(call: StoreCall): Promise<void> {
  const canned = call.header('x-amz-acl')
  const body = await readRequestBody(call, BODY_BYTES)
  const isPrivate = canned === undefined ? isOwnerOnly(body) : canned === 'private' && body.length === 0
  if (!isPrivate) throw new S3Error('NotImplemented', 'ACLs are not supported; use a bucket policy.')
}

function isOwnerOnly(body: Uint8Array): boolean {
  if (body.length === 0) return false
  const grants = children(xmlChild(parseXml(body, 'AccessControlPolicy'), 'AccessControlList'), 'Grant')
  return grants.length === 1 && xmlChildText(grants[0], 'Permission') === FULL_CONTROL
}
