import { abortMultipartUpload } from './abort-multipart-upload.ts'
import { getBucketAcl, getObjectAcl, putBucketAcl, putObjectAcl } from './acl.ts'
import { bucketCors } from './bucket-cors.ts'
import { bucketLifecycle } from './bucket-lifecycle.ts'
import { bucketNotification } from './bucket-notification.ts'
import { deleteBucketPolicy, getBucketPolicy, getBucketPolicyStatus, putBucketPolicy } from './bucket-policy.ts'
import { bucketReplication } from './bucket-replication.ts'
import { deleteBucketTagging, getBucketTagging, putBucketTagging } from './bucket-tagging.ts'
import { bucketVersioning } from './bucket-versioning.ts'
import { completeMultipartUpload } from './complete-multipart-upload.ts'
import { copyObject } from './copy-object.ts'
import { createBucket } from './create-bucket.ts'
import { createMultipartUpload } from './create-multipart-upload.ts'
import { deleteBucket } from './delete-bucket.ts'
import { deleteObject } from './delete-object.ts'
import { deleteObjects } from './delete-objects.ts'
import { bucketEncryption } from './encryption.ts'
import { fixedAnswers } from './fixed-answers.ts'
import { getBucketLocation } from './get-bucket-location.ts'
import { getObject } from './get-object.ts'
import { getObjectAttributes } from './get-object-attributes.ts'
import { headBucket } from './head-bucket.ts'
import { headObject } from './head-object.ts'
import { listBuckets } from './list-buckets.ts'
import { listMultipartUploads } from './list-multipart-uploads.ts'
import { listObjectVersions } from './list-object-versions.ts'
import { listObjects } from './list-objects.ts'
import { listObjectsV2 } from './list-objects-v2.ts'
import { listParts } from './list-parts.ts'
import { objectLockOperations } from './object-lock.ts'
import { deleteObjectTagging, getObjectTagging, putObjectTagging } from './object-tagging.ts'
import type { S3Operation } from './operation.ts'
import { postObject } from './post-object.ts'
import { putObject } from './put-object.ts'
import { restoreObject } from './restore-object.ts'
import { uploadPart } from './upload-part.ts'
import { uploadPartCopy } from './upload-part-copy.ts'

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
