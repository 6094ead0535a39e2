import { z } from 'zod'
import { because } from '../issues.ts'
import { reason } from '../reasons.ts'

/**
 * The name of a bucket: one segment of a path. What else a bucket may be called is the storage server's to decide, but a
 * name with a slash, or one that a path folds away, would address something else than a bucket.
 */
export const bucketName = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => name.trim() !== '', { ...because(reason('required'), 'should not be blank'), abort: true })
  .refine(
    (name) => !/[/\\]/.test(name) && name !== '.' && name !== '..',
    because(reason('bucket-name-characters'), 'is not a bucket name: no slashes, and neither . nor ..'),
  )
  // Below `/minio/` servers of this family have their own calls.
  .refine(
    (name) => name !== 'minio',
    because(reason('bucket-name-reserved'), 'is not a bucket name: the server keeps it for itself'),
  )

export const bucketParams = z.object({ bucket: bucketName })
