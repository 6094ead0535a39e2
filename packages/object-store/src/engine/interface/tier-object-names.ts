import { randomUUID } from 'node:crypto'

/** Maximum size of an S3 upload in one request. */
const MAX_PUT_BYTES = 5 * 1024 ** 3
const MULTIPART_SUFFIX = '.parts'

/**
 * Returns a unique name for an object on a tier, with the deployment ID as its prefix. The name shows whether the object is
 * uploaded in parts, so that its removal also removes an unfinished upload after a crash.
 * @param size bytes
 */
export const newTierObjectName = (deploymentId: string, size: number): string =>
  `${deploymentId}/${randomUUID()}${size > MAX_PUT_BYTES ? MULTIPART_SUFFIX : ''}`

export const isUploadedInParts = (object: string): boolean => object.endsWith(MULTIPART_SUFFIX)
