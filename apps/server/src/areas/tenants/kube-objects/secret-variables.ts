/** Names whose values are never shown. */
const SECRET =
  /(PASSWORD|PASSWD|SECRET|TOKEN|_KEY$|LICENSE|CRED|PASSPHRASE|PRIVATE|API_?KEY|DSN|CONNECTION_STRING|COOKIE|(^|_)(PASS|PWD|AUTH)(_|$))/i
/** Names that match but whose values are not secret. */
/** `PWD` alone is the working directory of a shell. */
const PUBLIC = new Set(['MINIO_KMS_KES_KEY_FILE', 'PWD', 'OLDPWD'])

export function isSecretVariable(name: string): boolean {
  return SECRET.test(name) && !PUBLIC.has(name)
}

/** Whether a value contains a credential in an address: `https://user:password@host`. */
export function hasCredential(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]*@/i.test(value)
}
