/** Issuer of tokens, and audience of this server. */
export const ISSUER = 'https://kubernetes.default.svc'
