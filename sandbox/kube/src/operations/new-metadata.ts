import { randomUUID } from 'node:crypto'
import { randomName } from '../admission/admit.ts'
import type { ObjectMetadata } from '../object/stored-object.ts'

/** Maximum length of a name prefix, so that a generated suffix fits. */
const MAX_GENERATED = 58

/** Returns the metadata of a new object. */
export function newMetadata(
  given: Partial<ObjectMetadata>,
  namespace: string | undefined,
  creationTimestamp: string,
): ObjectMetadata {
  const {
    selfLink: _,
    deletionTimestamp: __,
    deletionGracePeriodSeconds: ___,
    generation: ____,
    ...rest
  } = given as ObjectMetadata & { selfLink?: string }
  const name = rest.name || (rest.generateName ? rest.generateName.slice(0, MAX_GENERATED) + randomName() : '')
  return {
    ...rest,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid: randomUUID(),
    creationTimestamp,
  }
}

/** Returns the metadata of a change; fields that the server owns are kept. */
export function updatedMetadata(given: ObjectMetadata, previous: ObjectMetadata): ObjectMetadata {
  const { selfLink: _, ...rest } = given as ObjectMetadata & { selfLink?: string }
  const { deletionTimestamp, deletionGracePeriodSeconds, generation, generateName } = previous
  const result: ObjectMetadata = {
    ...rest,
    uid: given.uid || previous.uid,
    creationTimestamp: previous.creationTimestamp,
    resourceVersion: previous.resourceVersion,
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    ...(generation === undefined ? {} : { generation }),
    ...(generateName === undefined ? {} : { generateName }),
  }
  if (deletionTimestamp === undefined) delete result.deletionTimestamp
  if (deletionGracePeriodSeconds === undefined) delete result.deletionGracePeriodSeconds
  if (generation === undefined) delete result.generation
  return result
}
