import { randomUUID } from 'node:crypto'

/** The most that S3 takes in one request. */
const MAX_PUT_BYTES = 5 * 1024 ** 3
const IN_PARTS = '.parts'

/**
 * A name that no other object of the tier has, below that of the deployment. It shows whether the object is put in parts, so that
 * its removal also looks for what a crash has left of an upload.
 * @param size bytes
 */
export const newTierObject = (deploymentId: string, size: number): string =>
  `${deploymentId}/${randomUUID()}${size > MAX_PUT_BYTES ? IN_PARTS : ''}`

export const isInParts = (object: string): boolean => object.endsWith(IN_PARTS)
