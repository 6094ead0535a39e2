/** STS actions allowed in a policy, without `sts:`. */
export const STS_ACTIONS = ['AssumeRoleWithWebIdentity'] as const
