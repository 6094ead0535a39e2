import {
  type ActionName,
  type BucketPolicyDocument,
  evaluate,
  parseBucketPolicy,
  principalUser,
  problemText,
} from '@stowage/iam-policy'
import { type BucketPolicySetting, policyCodec } from '../../../bucket-settings/policy-codec.ts'
import { S3Error } from '../../../lib/errors.ts'
import { s3Document, xmlTag } from '../../../lib/xml.ts'
import { findBucketPolicy } from '../../auth/authorize.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { deleteSettingOperation } from './setting-calls.ts'

const BODY_BYTES = 20 * 1024
const UTF8 = new TextDecoder('utf-8', { fatal: true })

export const getBucketPolicy: S3Operation = {
  name: 'GetBucketPolicy',
  method: 'GET',
  level: 'bucket',
  query: ['policy'],
  handle(call) {
    const setting = call.engine.getBucketSetting(call.bucket, 'policy')
    if (!setting) throw new S3Error('NoSuchBucketPolicy', 'The bucket policy does not exist')
    call.text(setting.value.document, 200, { 'Content-Type': 'application/json' })
  },
}

export const putBucketPolicy: S3Operation = {
  name: 'PutBucketPolicy',
  method: 'PUT',
  level: 'bucket',
  query: ['policy'],
  async handle(call) {
    const text = await readPolicy(call)
    call.engine.getBucket(call.bucket)
    await call.engine.setBucketSettings(call.bucket, { policy: readBucketPolicy(call, call.bucket, text) })
    call.empty(204)
  },
}

/** Reads and checks a new policy of a bucket. @throws S3Error MalformedPolicy */
export function readBucketPolicy(call: StoreCall, bucket: string, text: string): BucketPolicySetting {
  const parsed = parseBucketPolicy(text, bucket)
  if (!parsed.ok) {
    const [problem] = parsed.errors
    throw new S3Error('MalformedPolicy', problem ? problemText(problem) : 'Policy has invalid resource.')
  }
  requireUsers(call, parsed.policy)
  return policyCodec.read(text)
}

/** Refuses statements about unknown users, which would have no effect: probably typos. @throws S3Error MalformedPolicy */
function requireUsers({ store: { iam } }: StoreCall, policy: BucketPolicyDocument): void {
  for (const principal of policy.Statement.flatMap((statement) => statement.Principal.AWS)) {
    const user = principalUser(principal)
    if (user === undefined || user === iam.root.accessKey || iam.users.has(user)) continue
    throw new S3Error('MalformedPolicy', `Invalid principal in policy: there is no user "${user}".`)
  }
}

async function readPolicy(call: StoreCall): Promise<string> {
  const body = await readRequestBody(call, BODY_BYTES).catch((error: unknown) => {
    if (!(error instanceof S3Error) || error.code !== 'EntityTooLarge') throw error
    throw new S3Error('PolicyTooLarge', 'Policy exceeds the maximum allowed document size.', { cause: error })
  })
  try {
    return UTF8.decode(body)
  } catch (cause) {
    throw new S3Error('MalformedPolicy', 'The policy is not in UTF-8.', { cause })
  }
}

export const deleteBucketPolicy = deleteSettingOperation('policy', 'policy', {
  name: 'DeleteBucketPolicy',
})

/** Public: an anonymous caller may both read and write. */
export const getBucketPolicyStatus: S3Operation = {
  name: 'GetBucketPolicyStatus',
  method: 'GET',
  level: 'bucket',
  query: ['policyStatus'],
  handle(call) {
    const { bucket } = call
    call.engine.getBucket(bucket)
    const bucketPolicy = findBucketPolicy(call.engine, bucket)
    const allowed = (action: ActionName) =>
      evaluate({ policies: [] }, { action, bucket, bucketPolicy }).decision === 'allow'
    const isPublic = allowed('s3:ListBucket') && allowed('s3:PutObject')
    call.xml(s3Document('PolicyStatus', xmlTag('IsPublic', isPublic ? 'TRUE' : 'FALSE')))
  },
}
