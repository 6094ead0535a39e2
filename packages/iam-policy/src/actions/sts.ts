/** STS actions that a policy may name, without their `sts:`. */
export const STS_ACTIONS = ['AssumeRoleWithWebIdentity'] as const
