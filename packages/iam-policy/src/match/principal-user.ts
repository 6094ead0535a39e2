/** Prefix of a user's name in an ARN. There is only one account, so its number is left out. */
export const USER_ARN = 'arn:aws:iam:::user/'

/**
 * Returns the user in a principal of a bucket policy: from an ARN or, as in MinIO, an access key. Undefined if it is not a user
 * of ours (a group, a role, a user of an AWS account, a pattern).
 */
export function principalUser(principal: string): string | undefined {
  if (principal.startsWith(USER_ARN)) {
    const name = principal.slice(USER_ARN.length)
    return name === '' || /[*?]/.test(name) ? undefined : name
  }
  return principal === '' || /[*?:]/.test(principal) ? undefined : principal
}
