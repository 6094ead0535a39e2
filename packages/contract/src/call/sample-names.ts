/**
 * The names that the examples use for resources that exist, or must not exist yet. The test that sends the examples replaces
 * each name by that of a resource that it has created.
 */
export const sampleNames = {
  bucket: 'photos',
  newBucket: 'holiday-photos',
  key: 'italy/lake.jpg',
  keyEtag: '9dd4e461268c8034f5c8564e155c67a6',
  archive: 'italy/lakes.zip',
  uploadId: 'ZDFiNmQ0YjUtNmE4Yi00YTZl',
  partEtag: '9e107d9d372bb6826bd81d3542a419d6',
  user: 'bob',
  newUser: 'carol',
  group: 'developers',
  newGroup: 'designers',
  policy: 'read-photos',
  newPolicy: 'read-holiday-photos',
  accessKey: 'BACKUP20250101NIGHTLY',
  newAccessKey: 'BACKUP20260101NIGHTLY',
  linkKey: 'LINKOFLAKE12',
  versionBucket: 'contracts',
  versionId: '5826c908-0da7-43d5-86eb-1eb32d8022b2',
  lockBucket: 'archive',
  encryptedBucket: 'payroll',
  ruledBucket: 'drafts',
  replicatedBucket: 'designs',
  targetArn: 'arn:minio:replication::0f6c7a52-5f0b-4a3c-8f0e-6b1a2f4d9c11:backup',
  arn: 'arn:minio:sqs::primary:webhook',
  configChange: '0c6e8d0b-6f0e-4c4a-9d9a-3f7f0e7c8a11',
} as const
