/** In front of the name of a user. There is one account, so its number is left out. */
export const USER_ARN = 'arn:aws:iam:::user/'

/**
 * The user that a principal of a bucket policy names: by ARN, or as MinIO writes it by access key. Undefined: it names
 * no user of ours (a group, a role, a user of an AWS account, a pattern).
 */
export function userOfPrincipal(principal: string): string | undefined {
  if (principal.startsWith(USER_ARN)) {
    const name = principal.slice(USER_ARN.length)
    return name === '' || /[*?]/.test(name) ? undefined : name
  }
  return principal === '' || /[*?:]/.test(principal) ? undefined : principal
}
