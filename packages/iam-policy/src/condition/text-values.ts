const ENCRYPTIONS = ['AES256', 'aws:kms']
const DIRECTIVES = ['COPY', 'REPLACE']

/** What servers find wrong with a text for a key whose values they know; undefined when nothing. */
export function checkKnownText(key: string, text: string, pattern: boolean): string | undefined {
  if (key === 's3:x-amz-copy-source') return checkCopySource(text)
  if (pattern) return undefined
  switch (key) {
    case 's3:x-amz-server-side-encryption':
      return oneOf(text, ENCRYPTIONS)
    case 's3:x-amz-server-side-encryption-customer-algorithm':
      return oneOf(text, ['AES256'])
    case 's3:x-amz-metadata-directive':
      return oneOf(text, DIRECTIVES)
    case 's3:x-amz-content-sha256':
      return text === '' ? '"" is not allowed: the value must not be empty' : undefined
    default:
      return undefined
  }
}

function oneOf(text: string, allowed: readonly string[]): string | undefined {
  return allowed.includes(text) ? undefined : `"${text}" is not one of ${allowed.join(', ')}`
}

function checkCopySource(text: string): string | undefined {
  const [bucket = '', ...key] = text.replace(/^\//, '').split('/')
  if (key.join('/') === '') return `"${text}" is not of the form bucket/key`
  // A pattern in place of the bucket is refused by servers too.
  const isName = /^[A-Za-z0-9][A-Za-z0-9.\-_:]{1,61}[A-Za-z0-9]$/.test(bucket)
  if (!isName || /\.\.|\.-|-\./.test(bucket) || /^\d+(\.\d+){3}$/.test(bucket)) {
    return `"${bucket}" in "${text}" is not a bucket name`
  }
  return undefined
}
