/** Returns the values of a secret in Base64, as the API has them. */
export function encodeSecretData(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]),
  )
}
