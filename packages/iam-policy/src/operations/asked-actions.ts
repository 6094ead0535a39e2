import type { ActionName, FamilyWildcard } from '../actions/catalogue.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import { S3_OPERATIONS, type S3OperationName, type S3OperationRights } from './s3-operations.ts'

/** An action that a server asks for. */
export interface AskedAction {
  readonly action: ActionName | FamilyWildcard
  /** The server only asks whether a policy denies it. */
  readonly denyOnly?: true
}

/**
 * Returns what a server asks for when a request does what an action is named for; all of it must be allowed. Usually that is
 * the action alone. Reading the attributes of an object needs the right to read it as well, and some servers never ask for some
 * actions: a named version is then read with the right to read the object.
 */
export function askedActions(action: ActionName | FamilyWildcard, dialect: Dialect): readonly AskedAction[] {
  const { versionRights } = DIALECTS[dialect]
  const known = ASKED[versionRights].get(action)
  return known ?? [{ action }]
}

type Asked = readonly AskedAction[]

const ASKED: Record<'separate' | 'same', ReadonlyMap<ActionName | FamilyWildcard, Asked>> = {
  separate: collectAsked(true),
  same: collectAsked(false),
}

function collectAsked(separate: boolean): Map<ActionName, Asked> {
  const found = new Map<ActionName, Asked>()
  const add = (action: ActionName | undefined, asked: Asked): void => {
    if (action === undefined) return
    const other = found.get(action)
    // Several operations may be decided by one action: only what all of them ask for belongs to the action.
    found.set(action, other ? other.filter((one) => asked.some((two) => two.action === one.action)) : asked)
  }
  const rows: readonly S3OperationRights[] = Object.values(S3_OPERATIONS)
  for (const { action, version, also, unasked, minioVersion } of rows) {
    add(action, [{ action }, ...(also ? [{ action: also.action }] : [])])
    if (separate) add(unasked, [{ action }])
    if (separate || minioVersion) {
      if (version) add(version, [{ action: version }, ...(also?.version ? [{ action: also.version }] : [])])
    } else if (version === 's3:DeleteObjectVersion') add(version, [{ action }, { action: version, denyOnly: true }])
    else add(version, [{ action }])
  }
  return found
}

/** Returns the operations of the store that a right is needed for, in whole or for a part of the request or answer. */
export function operationsNeeding(action: ActionName): S3OperationName[] {
  // Object.keys loses the type of the names.
  return (Object.keys(S3_OPERATIONS) as S3OperationName[]).filter((name) => {
    const row: S3OperationRights = S3_OPERATIONS[name]
    return [row, row.also].some((one) => one !== undefined && (one.action === action || one.version === action))
  })
}
