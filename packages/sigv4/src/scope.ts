import type { SigningScope } from './types.ts'

/** `20261121/us-east-1/s3/aws4_request` */
export function formatScope(scope: SigningScope): string {
  return `${scope.date}/${scope.region}/${scope.service}/aws4_request`
}

/** The value of a credential: access key and scope. */
export function formatCredential(accessKey: string, scope: SigningScope): string {
  return `${accessKey}/${formatScope(scope)}`
}

/** Parses a credential from the right, because an access key may contain `/`. Undefined if it is not a credential. */
export function parseCredential(text: string): { accessKey: string; scope: SigningScope } | undefined {
  const parts = text.split('/')
  const [date, region, service, terminator] = parts.slice(-4)
  const accessKey = parts.slice(0, -4).join('/')
  if (accessKey === '' || terminator !== 'aws4_request' || !service || region === undefined) return undefined
  if (!date || !/^\d{8}$/.test(date)) return undefined
  return { accessKey, scope: { date, region, service } }
}
