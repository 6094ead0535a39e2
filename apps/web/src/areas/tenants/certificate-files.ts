/** What a file picker offers for certificates and keys. */
export const CERTIFICATE_FILES = '.cer,.crt,.cert,.pem,.key'
/** Bytes of a file; calls carry it in base64, up to 1 MiB. */
export const LARGEST_FILE = 700 << 10

/** A certificate and its private key: the names of the files, and their contents in base64. */
export interface KeyPair {
  id: number
  cert: string
  key: string
  encoded_cert: string
  encoded_key: string
}

let ids = 0
export const emptyPair = (): KeyPair => ({ id: ++ids, cert: '', key: '', encoded_cert: '', encoded_key: '' })
export const isFull = ({ encoded_cert, encoded_key }: KeyPair) => encoded_cert !== '' && encoded_key !== ''

/** A pair as calls carry it. */
export const filesOf = ({ encoded_cert, encoded_key }: KeyPair) => ({ crt: encoded_cert, key: encoded_key })
/** The certificates that were chosen. */
export const authoritiesOf = (pairs: readonly KeyPair[]) =>
  pairs.flatMap(({ encoded_cert }) => (encoded_cert === '' ? [] : [encoded_cert]))

/** The list without one entry. The last one stays. */
export function withoutPair(pairs: readonly KeyPair[], id: number): readonly KeyPair[] {
  return pairs.length > 1 ? pairs.filter((pair) => pair.id !== id) : pairs
}
