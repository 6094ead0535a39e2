/** Names whose values are never shown. */
const SECRET = /(PASSWORD|SECRET|TOKEN|_KEY$|LICENSE|CREDENTIAL|PASSPHRASE|PRIVATE|API_KEY|DSN|CONNECTION_STRING)/i
/** Names that match but whose values are not secret. */
const PUBLIC = new Set(['MINIO_KMS_KES_KEY_FILE'])

export function isSecretVariable(name: string): boolean {
  return SECRET.test(name) && !PUBLIC.has(name)
}

/** Whether a value contains a credential in an address: `https://user:password@host`. */
export function hasCredential(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]*@/i.test(value)
}
