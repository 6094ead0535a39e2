import type { S3Operation } from '../call/s3-operation.ts'
import { getBucketAcl, getObjectAcl, putBucketAcl, putObjectAcl } from './buckets/acl.ts'
import { createBucket } from './buckets/create-bucket.ts'
import { deleteBucket } from './buckets/delete-bucket.ts'
import { getBucketLocation } from './buckets/get-bucket-location.ts'
import { headBucket } from './buckets/head-bucket.ts'
import { listBuckets } from './buckets/list-buckets.ts'
import { bucketEncryption } from './headers/encryption-headers.ts'
import { objectLockOperations } from './headers/object-lock-calls.ts'
import { listObjectVersions } from './listing/list-object-versions.ts'
import { listObjects } from './listing/list-objects.ts'
import { listObjectsV2 } from './listing/list-objects-v2.ts'
import { abortMultipartUpload } from './multipart/abort-multipart-upload.ts'
import { completeMultipartUpload } from './multipart/complete-multipart-upload.ts'
import { createMultipartUpload } from './multipart/create-multipart-upload.ts'
import { listMultipartUploads } from './multipart/list-multipart-uploads.ts'
import { listParts } from './multipart/list-parts.ts'
import { uploadPart } from './multipart/upload-part.ts'
import { uploadPartCopy } from './multipart/upload-part-copy.ts'
import { copyObject } from './objects/copy-object.ts'
import { deleteObject } from './objects/delete-object.ts'
import { deleteObjects } from './objects/delete-objects.ts'
import { getObject } from './objects/get-object.ts'
import { getObjectAttributes } from './objects/get-object-attributes.ts'
import { headObject } from './objects/head-object.ts'
import { deleteObjectTagging, getObjectTagging, putObjectTagging } from './objects/object-tagging.ts'
import { postObject } from './objects/post-object.ts'
import { putObject } from './objects/put-object.ts'
import { restoreObject } from './objects/restore-object.ts'
import { bucketCors } from './settings/bucket-cors.ts'
import { bucketLifecycle } from './settings/bucket-lifecycle.ts'
import { bucketNotification } from './settings/bucket-notification.ts'
import {
  deleteBucketPolicy,
  getBucketPolicy,
  getBucketPolicyStatus,
  putBucketPolicy,
} from './settings/bucket-policy.ts'
import { bucketReplication } from './settings/bucket-replication.ts'
import { deleteBucketTagging, getBucketTagging, putBucketTagging } from './settings/bucket-tagging.ts'
import { bucketVersioning } from './settings/bucket-versioning.ts'
import { fixedAnswers } from './settings/fixed-answers.ts'

/** All supported S3 operations. Unsupported ones that are refused by name are in `sub-resources.ts`. */
export const s3Operations: readonly S3Operation[] = [
  listBuckets,

  createBucket,
  headBucket,
  deleteBucket,
  getBucketLocation,
  ...bucketVersioning,
  ...bucketEncryption,
  ...bucketCors,
  ...bucketLifecycle,
  ...bucketNotification,
  ...bucketReplication,
  getBucketTagging,
  putBucketTagging,
  deleteBucketTagging,
  getBucketPolicy,
  putBucketPolicy,
  deleteBucketPolicy,
  getBucketPolicyStatus,
  listObjects,
  listObjectsV2,
  listObjectVersions,
  listMultipartUploads,
  deleteObjects,
  postObject,
  getBucketAcl,
  putBucketAcl,

  putObject,
  getObject,
  headObject,
  deleteObject,
  copyObject,
  getObjectAttributes,
  getObjectTagging,
  putObjectTagging,
  deleteObjectTagging,
  getObjectAcl,
  putObjectAcl,
  restoreObject,
  ...objectLockOperations,

  createMultipartUpload,
  uploadPart,
  uploadPartCopy,
  completeMultipartUpload,
  abortMultipartUpload,
  listParts,

  ...fixedAnswers,
]
