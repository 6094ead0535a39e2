import { randomUUID } from 'node:crypto'

/** Maximum size of an S3 upload in one request. */
const MAX_PUT_BYTES = 5 * 1024 ** 3
const IN_PARTS = '.parts'

/**
 * Returns a unique name for an object on a tier, with the deployment ID as its prefix. The name shows whether the object is
 * uploaded in parts, so that its removal also removes an unfinished upload after a crash.
 * @param size bytes
 */
export const newTierObject = (deploymentId: string, size: number): string =>
  `${deploymentId}/${randomUUID()}${size > MAX_PUT_BYTES ? IN_PARTS : ''}`

export const isInParts = (object: string): boolean => object.endsWith(IN_PARTS)
