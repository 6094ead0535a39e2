import { S3Error, type S3ErrorCode } from '../lib/errors.ts'

/**
 * Maximum length of the name of a user, group or policy, in bytes of UTF-8. MinIO has the same limit, because it uses each name
 * with a suffix as a file name, which may have 255 bytes.
 */
export const MAX_NAME_BYTES = 250

/** The kind of a named entity. */
export type IamNameKind = 'user' | 'group' | 'policy'

const CODES: Record<IamNameKind, S3ErrorCode> = {
  user: 'XMinioAdminInvalidAccessKey',
  group: 'XMinioInvalidGroupName',
  policy: 'XMinioInvalidResource',
}

/** Characters that separate names in lists and parts of distinguished names. */
const RESERVED: Record<IamNameKind, string> = { user: '=,', group: '=,', policy: ',' }

/**
 * Checks the name of a new entity. Names of existing ones are looked up, not checked.
 * @throws S3Error XMinioAdminInvalidAccessKey, XMinioInvalidGroupName, XMinioInvalidResource, XMinioInvalidUTF
 */
export function checkIamName(kind: IamNameKind, name: string): void {
  // Invalid UTF-8 was decoded to U+FFFD. Lone surrogates can only come from JSON.
  if (/[\ufffd\p{Surrogate}]/u.test(name)) throw new S3Error('XMinioInvalidUTF', 'Invalid UTF-8 character detected.')
  if (name.trim() !== name) {
    const code = kind === 'group' ? CODES.group : 'XMinioInvalidResource'
    throw new S3Error(code, `The name of a ${kind} must not begin or end with a blank.`)
  }
  const problem = iamNameProblem(kind, name)
  if (problem !== undefined) throw new S3Error(CODES[kind], `The name of a ${kind} ${problem}.`)
}

function iamNameProblem(kind: IamNameKind, name: string): string | undefined {
  if (kind === 'user' && name.length < 3) return 'must have 3 characters or more'
  if (name === '') return 'must not be empty'
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `must not exceed ${MAX_NAME_BYTES} bytes`
  if (/\p{Cc}/u.test(name)) return 'must not have control characters'
  if (name === '.' || name === '..') return 'must not be "." or ".."'
  const reserved = [...RESERVED[kind]].filter((character) => name.includes(character))
  return reserved.length > 0 ? `must not have "${reserved[0]}"` : undefined
}
