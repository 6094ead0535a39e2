import { S3Error } from '../../errors.ts'
import { readRaw } from '../body.ts'
import { child, childText, parseXml, s3Document, tag } from '../xml.ts'
import type { Operation } from './operation.ts'

const BODY_BYTES = 64 * 1024
/** MinIO's own: keys of which no versions are kept. */
const EXCLUSIONS = ['ExcludedPrefixes', 'ExcludeFolders']

export const getBucketVersioning: Operation = {
  name: 'GetBucketVersioning',
  method: 'GET',
  level: 'bucket',
  query: ['versioning'],
  action: 's3:GetBucketVersioning',
  handle(call) {
    const { versioning } = call.engine.getBucket(call.bucket)
    call.xml(s3Document('VersioningConfiguration', versioning === undefined ? '' : tag('Status', versioning)))
  },
}

export const putBucketVersioning: Operation = {
  name: 'PutBucketVersioning',
  method: 'PUT',
  level: 'bucket',
  query: ['versioning'],
  action: 's3:PutBucketVersioning',
  async handle(call) {
    const root = parseXml(await readRaw(call, BODY_BYTES), 'VersioningConfiguration')
    const status = childText(root, 'Status')
    if (status !== 'Enabled' && status !== 'Suspended') {
      throw new S3Error('IllegalVersioningConfigurationException', 'The Status must be Enabled or Suspended.')
    }
    if (childText(root, 'MfaDelete') === 'Enabled') throw new S3Error('NotImplemented', 'MFA delete is not supported.')
    for (const name of EXCLUSIONS) {
      if (child(root, name) !== undefined)
        throw new S3Error('NotImplemented', `Versioning without some keys (${name}) is not supported.`)
    }
    if (status === 'Suspended' && call.engine.getBucket(call.bucket).objectLock) {
      throw new S3Error('InvalidBucketState', 'A bucket with object lock keeps versioning on.')
    }
    await call.engine.setBucketSetting(call.bucket, 'versioning', status)
    call.empty(200)
  },
}
