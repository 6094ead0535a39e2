import { compileBucketPolicy, evaluate, parseBucketPolicy, problemText } from '@stowage/iam-policy'
import { S3Error } from '../../errors.ts'
import { readRaw } from '../body.ts'
import type { Call } from '../call.ts'
import { s3Document, tag } from '../xml.ts'
import type { Operation } from './operation.ts'

const BODY_BYTES = 20 * 1024
const UTF8 = new TextDecoder('utf-8', { fatal: true })

export const getBucketPolicy: Operation = {
  name: 'GetBucketPolicy',
  method: 'GET',
  level: 'bucket',
  query: ['policy'],
  action: 's3:GetBucketPolicy',
  handle(call) {
    const setting = call.engine.getBucketSetting(call.bucket, 'policy')
    if (!setting) throw new S3Error('NoSuchBucketPolicy', 'The bucket policy does not exist')
    call.text(setting.value, 200, { 'Content-Type': 'application/json' })
  },
}

export const putBucketPolicy: Operation = {
  name: 'PutBucketPolicy',
  method: 'PUT',
  level: 'bucket',
  query: ['policy'],
  action: 's3:PutBucketPolicy',
  async handle(call) {
    const text = await readPolicy(call)
    call.engine.getBucket(call.bucket)
    const parsed = parseBucketPolicy(text, call.bucket)
    if (!parsed.ok) {
      const [problem] = parsed.errors
      throw new S3Error('MalformedPolicy', problem ? problemText(problem) : 'Policy has invalid resource.')
    }
    await call.engine.setBucketSetting(call.bucket, 'policy', text)
    call.empty(204)
  },
}

async function readPolicy(call: Call): Promise<string> {
  const body = await readRaw(call, BODY_BYTES).catch((error: unknown) => {
    if (!(error instanceof S3Error) || error.code !== 'EntityTooLarge') throw error
    throw new S3Error('PolicyTooLarge', 'Policy exceeds the maximum allowed document size.', { cause: error })
  })
  try {
    return UTF8.decode(body)
  } catch (cause) {
    throw new S3Error('MalformedPolicy', 'The policy is not in UTF-8.', { cause })
  }
}

export const deleteBucketPolicy: Operation = {
  name: 'DeleteBucketPolicy',
  method: 'DELETE',
  level: 'bucket',
  query: ['policy'],
  action: 's3:DeleteBucketPolicy',
  async handle(call) {
    await call.engine.setBucketSetting(call.bucket, 'policy', undefined)
    call.empty(204)
  },
}

/** Public: an anonymous caller may both read and write. */
export const getBucketPolicyStatus: Operation = {
  name: 'GetBucketPolicyStatus',
  method: 'GET',
  level: 'bucket',
  query: ['policyStatus'],
  action: 's3:GetBucketPolicyStatus',
  handle(call) {
    const setting = call.engine.getBucketSetting(call.bucket, 'policy')
    const parsed = setting && parseBucketPolicy(setting.value, call.bucket)
    const access = { policies: parsed?.ok ? [compileBucketPolicy(parsed.policy)] : [] }
    const allowed = (action: string) => evaluate(access, { action, bucket: call.bucket }).decision === 'allow'
    const isPublic = allowed('s3:ListBucket') && allowed('s3:PutObject')
    call.xml(s3Document('PolicyStatus', tag('IsPublic', isPublic ? 'TRUE' : 'FALSE')))
  },
}
