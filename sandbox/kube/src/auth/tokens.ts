import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, importSPKI, jwtVerify, SignJWT } from 'jose'
import type { KubeCaller } from '../kinds/kind.ts'
import type { KubeObjectStore } from '../store/store.ts'
import { ADMINISTRATORS } from './authorizer.ts'
import { ISSUER } from './issuer.ts'
import type { OidcTokens } from './oidc.ts'

const ALGORITHM = 'RS256'

export interface TokenKeys {
  readonly privateKey: string
  readonly publicKey: string
}

export async function createTokenKeys(): Promise<TokenKeys> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  return { privateKey: await exportPKCS8(privateKey), publicKey: await exportSPKI(publicKey) }
}

export const ANONYMOUS: KubeCaller = { username: 'system:anonymous', groups: ['system:unauthenticated'] }

export interface ServiceAccountTokenRequest {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly audiences: readonly string[]
  /** Absent: the token never expires, like those in secrets. */
  readonly seconds?: number
  /** The object whose deletion ends the token. */
  readonly bound?: { readonly kind: string; readonly name: string; readonly uid: string }
}

interface Claims {
  sub?: string
  aud?: string | string[]
  exp?: number
  jti?: string
  'kubernetes.io'?: {
    namespace: string
    serviceaccount: { name: string; uid: string }
    secret?: { name: string; uid: string }
    pod?: { name: string; uid: string }
  }
}

/** Issues and checks tokens of service accounts, and checks the administrator's token. */
export class ServiceAccountTokens {
  readonly #adminDigest: Buffer
  #publicKey: Promise<CryptoKey> | undefined

  constructor(
    readonly store: KubeObjectStore,
    readonly keys: TokenKeys,
    adminToken: string,
    readonly now: () => Date,
    readonly oidc?: OidcTokens,
  ) {
    this.#adminDigest = digest(adminToken)
  }

  async issue({ namespace, name, uid, audiences, seconds, bound }: ServiceAccountTokenRequest): Promise<string> {
    const iat = Math.floor(this.now().getTime() / 1000)
    const claims = {
      'kubernetes.io': {
        namespace,
        serviceaccount: { name, uid },
        ...(bound ? { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } } : {}),
      },
    }
    const token = new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(ISSUER)
      .setSubject(`system:serviceaccount:${namespace}:${name}`)
      .setAudience([...audiences])
      .setIssuedAt(iat)
      .setNotBefore(iat)
      .setJti(randomUUID())
    if (seconds !== undefined) token.setExpirationTime(iat + seconds)
    return await token.sign(await importPKCS8(this.keys.privateKey, ALGORITHM))
  }

  /** @returns undefined if the token is not valid, or is for other audiences */
  async authenticate(
    token: string,
    audiences: readonly string[] = [ISSUER],
  ): Promise<(KubeCaller & { audiences: string[] }) | undefined> {
    if (timingSafeEqual(digest(token), this.#adminDigest))
      return { username: 'admin', uid: 'admin', groups: [ADMINISTRATORS, 'system:authenticated'], audiences: [ISSUER] }
    let claims: Claims
    try {
      this.#publicKey ??= importSPKI(this.keys.publicKey, ALGORITHM)
      const key = await this.#publicKey
      const options = { issuer: ISSUER, algorithms: [ALGORITHM], currentDate: this.now() }
      claims = (await jwtVerify(token, key, options)).payload as Claims
    } catch {
      // The caller only learns that the token is invalid, not why.
      return await this.oidc?.authenticate(token, audiences)
    }
    const shared = [claims.aud ?? []].flat().filter((audience) => audiences.includes(audience))
    if (shared.length === 0) return undefined
    const about = claims['kubernetes.io']
    if (!about || !this.#isThere(about)) return undefined
    return {
      username: `system:serviceaccount:${about.namespace}:${about.serviceaccount.name}`,
      uid: about.serviceaccount.uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${about.namespace}`, 'system:authenticated'],
      ...(claims.jti === undefined
        ? {}
        : { extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`] } }),
      audiences: shared,
    }
  }

  /** Whether a token's account and bound object still exist, as the same objects and not only under the same names. */
  #isThere({ namespace, serviceaccount, secret, pod }: NonNullable<Claims['kubernetes.io']>): boolean {
    const is = (kind: string, named: { name: string; uid: string } | undefined) =>
      named === undefined || this.store.get(kind, namespace, named.name)?.metadata.uid === named.uid
    return is('serviceaccounts', serviceaccount) && is('secrets', secret) && is('pods', pod)
  }
}

/** Returns digests of equal length, which can be compared in constant time. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
