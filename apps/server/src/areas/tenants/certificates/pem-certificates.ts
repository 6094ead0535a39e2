import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { reason, type TenantCertificate } from '@stowage/contract'
import { HttpError } from '../../../lib/errors/http-errors.ts'

/** Decodes a file that a browser sent in Base64. @throws HttpError 400 if it is empty */
function decodeFile(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('utf8').trim()
  if (text === '') throw new HttpError(400, reason('certificate-files-empty'))
  return text
}

interface PemBlock {
  label: string
  pem: string
}

/** Returns the blocks of a PEM file, without the text around them. */
function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = []
  let open: { label: string; lines: string[] } | undefined
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const [, edge, label = ''] = /^-----(BEGIN|END) ([A-Z0-9 ]+)-----$/.exec(line) ?? []
    if (edge === 'BEGIN') open = { label, lines: [] }
    open?.lines.push(line)
    if (edge !== 'END') continue
    if (open?.label === label) blocks.push({ label, pem: open.lines.join('\n') })
    open = undefined
  }
  return blocks
}

/** Returns the certificates of a file; undefined if the file has no certificate, or one that cannot be parsed. */
function parseCertificates(text: string): { first: X509Certificate; pem: string } | undefined {
  // A private key in the same file must not be stored with the certificates, which are public.
  const blocks = pemBlocks(text).filter(({ label }) => label === 'CERTIFICATE')
  const [first, ...others] = blocks.map(({ pem }) => readCertificate(pem))
  if (!first || others.includes(undefined)) return undefined
  return { first, pem: blocks.map(({ pem }) => `${pem}\n`).join('') }
}

/**
 * Returns a certificate and its key as PEM.
 * @throws HttpError 400 if one of them cannot be parsed, or they do not match
 */
export function readKeyPair({ crt, key }: { crt: string; key: string }): { crt: string; key: string } {
  const [certText, keyText] = [decodeFile(crt), decodeFile(key)]
  const certificates = parseCertificates(certText)
  if (!certificates) throw new HttpError(400, reason('certificate-unreadable'))
  const { pem = '' } = pemBlocks(keyText).find(({ label }) => label.endsWith('PRIVATE KEY')) ?? {}
  let publicKey: Buffer
  try {
    publicKey = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' })
  } catch (cause) {
    throw new HttpError(400, reason('certificate-key-unreadable'), { cause })
  }
  if (!certificates.first.publicKey.export({ type: 'spki', format: 'der' }).equals(publicKey))
    throw new HttpError(400, reason('certificate-key-other'))
  return { crt: certificates.pem, key: `${pem}\n` }
}

/** Returns the certificates of an authority as PEM. @throws HttpError 400 */
export function authorityCertificates(base64: string): string {
  const certificates = parseCertificates(decodeFile(base64))
  if (!certificates) throw new HttpError(400, reason('certificate-unreadable'))
  return certificates.pem
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
export function describeCertificate(name: string, pem: string | undefined): TenantCertificate {
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

/** Returns the public key of a certificate (DER); its SHA-256 is the identity of a key server's client. @throws HttpError 400 */
export function certificatePublicKey(pem: string): Buffer {
  const certificate = readCertificate(pem)
  if (!certificate) throw new HttpError(400, reason('certificate-unreadable'), { field: 'client' })
  return certificate.publicKey.export({ type: 'spki', format: 'der' })
}
