import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { type Certificate, reason } from '@stowage/contract'
import { HttpError } from '../../lib/http/errors.ts'

/** Decodes a file that a browser sent in Base64. @throws HttpError 400 if it is empty */
function decoded(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('utf8').trim()
  if (text === '') throw new HttpError(400, reason('certificate-files-empty'))
  return text
}

/**
 * Returns a certificate and its key as PEM.
 * @throws HttpError 400 if one of them cannot be parsed, or they do not match
 */
export function keyPair({ crt, key }: { crt: string; key: string }): { crt: string; key: string } {
  const [certText, keyText] = [decoded(crt), decoded(key)]
  const certificate = readCertificate(certText)
  if (!certificate) throw new HttpError(400, reason('certificate-unreadable'))
  let publicKey: Buffer
  try {
    publicKey = createPublicKey(createPrivateKey(keyText)).export({ type: 'spki', format: 'der' })
  } catch (cause) {
    throw new HttpError(400, reason('certificate-key-unreadable'), { cause })
  }
  if (!certificate.publicKey.export({ type: 'spki', format: 'der' }).equals(publicKey))
    throw new HttpError(400, reason('certificate-key-other'))
  return { crt: `${certText}\n`, key: `${keyText}\n` }
}

/** Returns the certificates of an authority as PEM. @throws HttpError 400 */
export function authorities(base64: string): string {
  const text = decoded(base64)
  if (!readCertificate(text)) throw new HttpError(400, reason('certificate-unreadable'))
  return `${text}\n`
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    // Not a certificate, or one that this version of Node cannot parse.
    return undefined
  }
}

/** Describes the certificate in a secret. @param name of the secret */
export function certificateOf(name: string, pem: string | undefined): Certificate {
  const certificate = pem === undefined ? undefined : readCertificate(pem)
  if (!certificate) return { name, serialNumber: '', domains: [], expiry: '' }
  const names = (certificate.subjectAltName ?? '').split(', ')
  const of = (kind: string) =>
    names.flatMap((each) => (each.startsWith(`${kind}:`) ? [each.slice(kind.length + 1)] : []))
  return {
    name,
    serialNumber: BigInt(`0x${certificate.serialNumber || '0'}`).toString(),
    domains: [...of('DNS'), ...of('IP Address')],
    expiry: new Date(certificate.validTo).toISOString(),
  }
}

/** Returns the identity of a key server's client: the SHA-256 of its public key. */
export function publicKeyOf(pem: string): Buffer {
  return new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
}
