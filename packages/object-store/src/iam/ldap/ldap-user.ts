import { S3Error } from '../../lib/errors.ts'

const REFUSED = 'The directory does not accept this name and password.'

/** A user of the directory. */
export interface LdapUser {
  /** Normalized, in the spelling of the directory. */
  dn: string
  /** The sign-in name in the spelling of the directory, which policies may name; not as it was entered. */
  username: string
  /** Distinguished names of groups, like `dn`. */
  groups: string[]
}

/** Returns the same error for unknown names and wrong passwords, so that nobody learns which names exist. */
export function ldapSignInRefused(cause?: unknown): S3Error {
  return new S3Error('InvalidParameterValue', REFUSED, { cause })
}

/** Whether an error means a wrong guess, and not a directory that did not check it. */
export function isLdapSignInRefusal(error: unknown): boolean {
  return error instanceof S3Error && error.message === REFUSED
}
