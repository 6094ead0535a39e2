import { z } from 'zod'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'

/**
 * The name of a bucket, a single path segment. The storage server applies its own rules too, but a name with a slash, or one
 * that path normalization removes, would address something else.
 */
export const bucketName = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => name.trim() !== '', { ...withReason(reason('required'), 'should not be blank'), abort: true })
  .refine(
    (name) => !/[/\\]/.test(name) && name !== '.' && name !== '..',
    withReason(reason('bucket-name-characters'), 'is not a bucket name: no slashes, and neither . nor ..'),
  )
  // MinIO servers have their own calls below `/minio/`.
  .refine(
    (name) => name !== 'minio',
    withReason(reason('bucket-name-reserved'), 'is not a bucket name: the server keeps it for itself'),
  )

export const bucketParams = z.object({ bucket: bucketName })
