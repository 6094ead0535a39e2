/** Issuer of tokens, and the audience that this server is. */
export const ISSUER = 'https://kubernetes.default.svc'
