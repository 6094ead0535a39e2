/** The file extensions that a file picker offers for certificates and keys. */
export const CERTIFICATE_FILES = '.cer,.crt,.cert,.pem,.key'
/** The maximum file size (bytes). Calls send files in Base64, up to 1 MiB. */
export const LARGEST_FILE = 700 << 10

/** A certificate and its private key: the file names, and the contents in Base64. */
export interface KeyPair {
  id: number
  cert: string
  key: string
  encoded_cert: string
  encoded_key: string
}

let ids = 0
export const emptyPair = (): KeyPair => ({ id: ++ids, cert: '', key: '', encoded_cert: '', encoded_key: '' })
export const isEmpty = ({ encoded_cert, encoded_key }: KeyPair) => encoded_cert === '' && encoded_key === ''
export const isFull = ({ encoded_cert, encoded_key }: KeyPair) => encoded_cert !== '' && encoded_key !== ''

/** Returns a pair in the form that calls use. */
export const filesOf = ({ encoded_cert, encoded_key }: KeyPair) => ({ crt: encoded_cert, key: encoded_key })
/** Returns the selected certificates. */
export const authoritiesOf = (pairs: readonly KeyPair[]) =>
  pairs.flatMap(({ encoded_cert }) => (encoded_cert === '' ? [] : [encoded_cert]))

/** Returns the list without one entry. The last entry is kept. */
export function withoutPair(pairs: readonly KeyPair[], id: number): readonly KeyPair[] {
  return pairs.length > 1 ? pairs.filter((pair) => pair.id !== id) : pairs
}
