import { S3Error, type S3ErrorCode } from '../errors.ts'

/**
 * Longest name of a user, group or policy, in bytes of UTF-8. MinIO keeps each in files of that name with a suffix, which
 * file systems limit to 255 bytes, so a longer name does not exist there either.
 */
export const MAX_NAME_BYTES = 250

/** The kind of a name, which becomes the key of a document. */
export type NameKind = 'user' | 'group' | 'policy'

const CODES: Record<NameKind, S3ErrorCode> = {
  user: 'XMinioAdminInvalidAccessKey',
  group: 'XMinioInvalidGroupName',
  policy: 'XMinioInvalidResource',
}

/** Characters that separate names in lists and in LDAP's names. */
const RESERVED: Record<NameKind, string> = { user: '=,', group: '=,', policy: ',' }

/**
 * Checks a name before it is given to something new. Names of what is there already are looked up, not checked.
 * @throws S3Error XMinioAdminInvalidAccessKey, XMinioInvalidGroupName, XMinioInvalidResource, XMinioInvalidUTF
 */
export function checkName(kind: NameKind, name: string): void {
  // Text that is not UTF-8 arrives with U+FFFD in its place, a lone surrogate only in JSON.
  if (/[\ufffd\p{Surrogate}]/u.test(name)) throw new S3Error('XMinioInvalidUTF', 'Invalid UTF-8 character detected.')
  if (name.trim() !== name) {
    const code = kind === 'group' ? CODES.group : 'XMinioInvalidResource'
    throw new S3Error(code, `The name of a ${kind} must not begin or end with a blank.`)
  }
  const problem = problemOf(kind, name)
  if (problem !== undefined) throw new S3Error(CODES[kind], `The name of a ${kind} ${problem}.`)
}

function problemOf(kind: NameKind, name: string): string | undefined {
  if (kind === 'user' && name.length < 3) return 'must have 3 characters or more'
  if (name === '') return 'must not be empty'
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `must not exceed ${MAX_NAME_BYTES} bytes`
  if (/\p{Cc}/u.test(name)) return 'must not have control characters'
  if (name === '.' || name === '..') return 'must not be "." or ".."'
  const reserved = [...RESERVED[kind]].filter((character) => name.includes(character))
  return reserved.length > 0 ? `must not have "${reserved[0]}"` : undefined
}
