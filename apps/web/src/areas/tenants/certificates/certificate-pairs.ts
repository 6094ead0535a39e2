/** The file extensions that a file picker offers for certificates and keys. */
export const CERTIFICATE_EXTENSIONS = '.cer,.crt,.cert,.pem,.key'
/** The maximum file size (bytes). Calls send files in Base64, up to 1 MiB. */
export const MAX_CERTIFICATE_BYTES = 700 << 10

/** A certificate and its private key: the file names, and the contents in Base64. */
export interface CertificatePair {
  id: number
  cert: string
  key: string
  encoded_cert: string
  encoded_key: string
}

let ids = 0
export const emptyCertificatePair = (): CertificatePair => ({
  id: ++ids,
  cert: '',
  key: '',
  encoded_cert: '',
  encoded_key: '',
})
export const isEmptyPair = ({ encoded_cert, encoded_key }: CertificatePair) => encoded_cert === '' && encoded_key === ''
export const isCompletePair = ({ encoded_cert, encoded_key }: CertificatePair) =>
  encoded_cert !== '' && encoded_key !== ''

/** Returns a pair in the form that calls use. */
export const certificateBody = ({ encoded_cert, encoded_key }: CertificatePair) => ({
  crt: encoded_cert,
  key: encoded_key,
})
/** Returns the selected certificates. */
export const selectedCertificates = (pairs: readonly CertificatePair[]) =>
  pairs.flatMap(({ encoded_cert }) => (encoded_cert === '' ? [] : [encoded_cert]))

/** Returns the list without one entry. The last entry is kept. */
export function withoutPair(pairs: readonly CertificatePair[], id: number): readonly CertificatePair[] {
  return pairs.length > 1 ? pairs.filter((pair) => pair.id !== id) : pairs
}
