import { randomBytes, webcrypto } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { Set as Asn1Set, Integer, OctetString, Sequence, Utf8String } from 'asn1js'
import {
  Attribute,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  CertificationRequest,
  Extension,
  Extensions,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
  PublicKeyInfo,
  RelativeDistinguishedNames,
} from 'pkijs'

/** A certificate and its private key, both in PEM. */
export interface PemKeyPair {
  readonly cert: string
  readonly key: string
}

/** The subject of a certificate. */
export interface CertificateSubject {
  readonly commonName: string
  /** Groups, if it is a client certificate. */
  readonly organizations?: readonly string[]
}

export interface LeafCertificateOptions extends CertificateSubject {
  readonly dnsNames?: readonly string[]
  /** IPv4 addresses. */
  readonly addresses?: readonly string[]
  readonly usage: 'server' | 'client'
  /** Default one year. */
  readonly validMs?: number
  readonly now?: Date
}

/** Signs certificates. */
export interface CertificateAuthority extends PemKeyPair {
  issue(options: LeafCertificateOptions): Promise<PemKeyPair>
  /**
   * Signs a request in PEM with the subject and names that it asks for.
   * @throws TypeError if it is not a request, or not signed with its own key
   */
  sign(request: string, options: Pick<LeafCertificateOptions, 'usage' | 'validMs' | 'now'>): Promise<string>
}

const YEAR_MS = 365 * 24 * 3600_000
const KEY = { name: 'ECDSA', namedCurve: 'P-256' }
const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  alternativeNames: '2.5.29.17',
  extensionRequest: '1.2.840.113549.1.9.14',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
}
/** BIT STRINGs of the key usage: digitalSignature; keyCertSign and cRLSign. */
const LEAF_USAGE = new Uint8Array([3, 2, 7, 0x80])
const CA_USAGE = new Uint8Array([3, 2, 1, 0x06])

/** Creates an authority that is valid for ten years. */
export async function createAuthority(commonName: string, now = new Date()): Promise<CertificateAuthority> {
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const certificate = await unsigned({ subject: { commonName }, publicKey: keys.publicKey, validMs: 10 * YEAR_MS, now })
  certificate.issuer = distinguishedName({ commonName })
  certificate.extensions = [
    extension(OID.basicConstraints, new BasicConstraints({ cA: true }).toSchema().toBER(false), true),
    extension(OID.keyUsage, CA_USAGE, true),
  ]
  await certificate.sign(keys.privateKey, 'SHA-256')
  return openAuthority({ cert: certificatePem(certificate), key: await keyPem(keys.privateKey) })
}

/** Opens an existing authority. */
export async function openAuthority(pair: PemKeyPair): Promise<CertificateAuthority> {
  const own = Certificate.fromBER(derBytes(pair.cert))
  const privateKey = await webcrypto.subtle.importKey('pkcs8', derBytes(pair.key), KEY, false, ['sign'])
  const finish = async (
    certificate: Certificate,
    usage: LeafCertificateOptions['usage'],
    names: Extension | undefined,
  ) => {
    certificate.issuer = own.subject
    certificate.extensions = [
      extension(OID.basicConstraints, new BasicConstraints({ cA: false }).toSchema().toBER(false), true),
      extension(OID.keyUsage, LEAF_USAGE, true),
      extension(OID.extendedKeyUsage, new ExtKeyUsage({ keyPurposes: [OID[usage]] }).toSchema().toBER(false)),
      ...(names ? [names] : []),
    ]
    await certificate.sign(privateKey, 'SHA-256')
    return certificatePem(certificate)
  }
  return {
    ...pair,
    async issue({ usage, validMs = YEAR_MS, now = new Date(), ...subject }) {
      const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
      const certificate = await unsigned({ subject, publicKey: keys.publicKey, validMs, now })
      return { cert: await finish(certificate, usage, alternativeNames(subject)), key: await keyPem(keys.privateKey) }
    },
    async sign(pem, { usage, validMs = YEAR_MS, now = new Date() }) {
      const request = await readRequest(pem)
      const certificate = await unsigned({ publicKey: request.subjectPublicKeyInfo, validMs, now })
      certificate.subject = request.subject
      return await finish(certificate, usage, requestedNames(request))
    },
  }
}

/** Creates a key and a certificate request for it, both in PEM. */
export async function createCertificateRequest(
  subject: Omit<LeafCertificateOptions, 'usage'>,
): Promise<{ request: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const request = new CertificationRequest()
  request.subject = distinguishedName(subject)
  await request.subjectPublicKeyInfo.importKey(keys.publicKey)
  const names = alternativeNames(subject)
  if (names) {
    request.attributes = [
      new Attribute({ type: OID.extensionRequest, values: [new Extensions({ extensions: [names] }).toSchema()] }),
    ]
  }
  await request.sign(keys.privateKey, 'SHA-256')
  return {
    request: pemText('CERTIFICATE REQUEST', request.toSchema(true).toBER(false)),
    key: await keyPem(keys.privateKey),
  }
}

async function readRequest(pem: string): Promise<CertificationRequest> {
  let request: CertificationRequest
  try {
    request = CertificationRequest.fromBER(derBytes(pem))
  } catch (cause) {
    throw new TypeError('not a certificate request', { cause })
  }
  if (!(await request.verify())) throw new TypeError('the request is not signed by its own key')
  return request
}

/** Returns only the alternative names of a request. */
function requestedNames(request: CertificationRequest): Extension | undefined {
  const attribute = request.attributes?.find(({ type }) => type === OID.extensionRequest)
  const [list] = attribute?.values ?? []
  if (!list) return undefined
  for (const each of list.valueBlock.value) {
    const found = new Extension({ schema: each })
    if (found.extnID === OID.alternativeNames)
      return extension(OID.alternativeNames, found.extnValue.valueBlock.valueHexView)
  }
  return undefined
}

async function unsigned(options: {
  subject?: CertificateSubject
  publicKey: webcrypto.CryptoKey | PublicKeyInfo
  validMs: number
  now: Date
}): Promise<Certificate> {
  const certificate = new Certificate()
  certificate.version = 2
  // Positive, as the standard requires.
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  certificate.serialNumber = new Integer({ valueHex: new Uint8Array(serial).buffer })
  // One hour earlier, for machines with different clocks.
  certificate.notBefore.value = new Date(options.now.getTime() - 3600_000)
  certificate.notAfter.value = new Date(options.now.getTime() + options.validMs)
  if (options.subject) certificate.subject = distinguishedName(options.subject)
  if (options.publicKey instanceof PublicKeyInfo) certificate.subjectPublicKeyInfo = options.publicKey
  else await certificate.subjectPublicKeyInfo.importKey(options.publicKey)
  return certificate
}

/** Puts each part in a separate set, as servers expect; pkijs would write one set with all parts. */
function distinguishedName({ commonName, organizations = [] }: CertificateSubject): RelativeDistinguishedNames {
  const part = (type: string, value: string) =>
    new Asn1Set({ value: [new AttributeTypeAndValue({ type, value: new Utf8String({ value }) }).toSchema()] })
  const parts = [
    ...organizations.map((organization) => part(OID.organization, organization)),
    part(OID.commonName, commonName),
  ]
  return RelativeDistinguishedNames.fromBER(new Sequence({ value: parts }).toBER(false))
}

function alternativeNames(of: Pick<LeafCertificateOptions, 'dnsNames' | 'addresses'>): Extension | undefined {
  const names = [
    ...(of.dnsNames ?? []).map((value) => new GeneralName({ type: 2, value })),
    ...(of.addresses ?? []).filter(isIPv4).map((address) => {
      const valueHex = new Uint8Array(address.split('.').map(Number)).buffer
      return new GeneralName({ type: 7, value: new OctetString({ valueHex }) })
    }),
  ]
  if (names.length === 0) return undefined
  return extension(OID.alternativeNames, new GeneralNames({ names }).toSchema().toBER(false))
}

function extension(extnID: string, value: ArrayBuffer | Uint8Array, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new Uint8Array(value).buffer })
}

function certificatePem(certificate: Certificate): string {
  return pemText('CERTIFICATE', certificate.toSchema(true).toBER(false))
}

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  return pemText('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', key))
}

function pemText(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

function derBytes(pem: string): ArrayBuffer {
  const base64 = pem.replace(/-----[^-]+-----/g, '').replace(/\s/g, '')
  return new Uint8Array(Buffer.from(base64, 'base64')).buffer
}
