const ENCRYPTIONS = ['AES256', 'aws:kms']
const DIRECTIVES = ['COPY', 'REPLACE']

/** Returns the error that servers report for a text, for keys whose valid values are known; undefined if it is valid. */
export function checkKnownText(key: string, text: string, pattern: boolean): string | undefined {
  if (key === 's3:x-amz-copy-source') return checkCopySource(text)
  if (pattern) return undefined
  switch (key) {
    case 's3:x-amz-server-side-encryption':
      return checkChoice(text, ENCRYPTIONS)
    case 's3:x-amz-server-side-encryption-customer-algorithm':
      return checkChoice(text, ['AES256'])
    case 's3:x-amz-metadata-directive':
      return checkChoice(text, DIRECTIVES)
    case 's3:x-amz-content-sha256':
      return text === '' ? '"" is not allowed: the value must not be empty' : undefined
    default:
      return undefined
  }
}

function checkChoice(text: string, allowed: readonly string[]): string | undefined {
  return allowed.includes(text) ? undefined : `"${text}" is not one of ${allowed.join(', ')}`
}

function checkCopySource(text: string): string | undefined {
  const [bucket = '', ...key] = text.replace(/^\//, '').split('/')
  if (key.join('/') === '') return `"${text}" is not of the form bucket/key`
  // Servers also refuse a pattern instead of the bucket name.
  const isName = /^[A-Za-z0-9][A-Za-z0-9.\-_:]{1,61}[A-Za-z0-9]$/.test(bucket)
  if (!isName || /\.\.|\.-|-\./.test(bucket) || /^\d+(\.\d+){3}$/.test(bucket)) {
    return `"${bucket}" in "${text}" is not a bucket name`
  }
  return undefined
}
