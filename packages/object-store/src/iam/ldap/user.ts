import { S3Error } from '../../errors.ts'

/** A user of the directory. */
export interface LdapUser {
  /** As the directory spells it, normalized. */
  dn: string
  /** What was typed. */
  username: string
  /** Names of groups, as `dn`. */
  groups: string[]
}

/** One message for unknown names and wrong passwords: nobody finds out which names exist. */
export function refused(cause?: unknown): S3Error {
  return new S3Error('InvalidParameterValue', 'The directory does not accept this name and password.', { cause })
}
