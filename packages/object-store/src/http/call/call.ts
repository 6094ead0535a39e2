import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SigningKeys } from '@stowage/sigv4'
import type { Logger } from 'pino'
import type { AppliedConfig } from '../../applied-config/applied-config.ts'
import type { Audit } from '../../audit/audit.ts'
import type { StoreConfig } from '../../config/config.ts'
import type { Engine } from '../../engine/interface/types.ts'
import type { StoreEvents } from '../../events/events.ts'
import type { DriveChecks } from '../../health/drive-checks.ts'
import type { HealSequences } from '../../health/heal-sequences.ts'
import type { Iam } from '../../iam/iam.ts'
import type { IamIdentity } from '../../iam/identity.ts'
import type { IdentityFinder } from '../../iam/identity-finder.ts'
import type { KeyUse } from '../../iam/key-use.ts'
import type { LdapDirectory } from '../../iam/ldap/ldap-directory.ts'
import type { OpenIdVerifier } from '../../iam/openid/openid-verifier.ts'
import type { LifecycleScanner } from '../../lifecycle/lifecycle-scanner.ts'
import type { ConsoleLog } from '../../process/console-log.ts'
import type { Replicator } from '../../replication/replicator.ts'
import type { BodyBudget } from '../../requests/body-budget.ts'
import type { FairQueue } from '../../requests/fair-queue.ts'
import type { GuessLimiter } from '../../requests/guess-limiter.ts'
import type { RequestCounters } from '../../requests/request-counters.ts'
import type { RequestLimit } from '../../requests/request-limit.ts'
import { type RequestRecord, type RequestRecorder, recordAnswerHeaders } from '../../requests/request-recorder.ts'
import type { RequestTarget } from '../../requests/request-target.ts'
import type { TierRegistry } from '../../tiers/tier-registry.ts'
import type { TierRestores } from '../../tiers/tier-restores.ts'
import type { AuthenticationResult, TagMap } from './authentication-result.ts'

/** The parts of the store that handlers use. */
export interface StoreServices {
  readonly engine: Engine
  readonly iam: Iam
  readonly identityFinder: IdentityFinder
  readonly keyUse: KeyUse
  /** Verifies ID tokens of identity providers. */
  readonly openid: OpenIdVerifier
  /** Checks users of a directory. */
  readonly ldap: LdapDirectory
  readonly config: StoreConfig
  readonly events: StoreEvents
  readonly lifecycle: LifecycleScanner
  readonly tiers: TierRegistry
  /** Running restores of versions from tiers. */
  readonly restores: TierRestores
  readonly replication: Replicator
  readonly applied: AppliedConfig
  /** Limits the number of S3 requests served at the same time. */
  readonly requests: RequestLimit
  readonly driveChecks: DriveChecks
  readonly signingKeys: SigningKeys
  readonly recorder: RequestRecorder
  readonly counters: RequestCounters
  readonly audit: Audit
  /** Heals started by clients. */
  readonly healSequences: HealSequences
  /** Whether everyone may read the metrics. */
  readonly publicMetrics: boolean
  /** Limits wrong passwords of directory users. */
  readonly ldapGuesses: GuessLimiter
  /** Sign-ins at the directory take turns by address. */
  readonly ldapTurns: FairQueue
  /** Limits bodies of unknown senders. */
  readonly bodies: BodyBudget
  readonly log: Logger
  /** The latest lines of the log. */
  readonly consoleLog: ConsoleLog
  /** Webhooks for the log; undefined if outgoing connections are not available. */
  readonly logWebhooks: { readonly ready: Promise<void> } | undefined
  /** The region in answers to clients. */
  readonly region: string
  /** Whether signatures and locations may name any region, because none is configured. */
  readonly anyRegion: boolean
  /** Domains of virtual-hosted buckets, in lower case; may be empty. */
  readonly domains: readonly string[]
  /** Whether a proxy in front of the store reports the client's address. */
  readonly trustProxy: boolean
  /** Whether objects with active content are sent with a sandbox policy. */
  readonly sandbox: boolean
  /** Whether URLs and forms may be signed with Signature Version 2. */
  readonly version2: boolean
  /** The secret that authenticates the console that started this store; undefined for a store without a console. */
  readonly consoleSecret: string | undefined
  /** Asks the parent process to restart or stop this one. */
  readonly control: (command: 'restart' | 'stop') => void
  /** Aborts when the store closes, so that endless answers end. */
  readonly closing: AbortSignal
}

/** Maximum length of the user agent that is recorded with a change. */
const MAX_USER_AGENT = 200
const NO_TAGS: TagMap = {}

/** A customer's key for the encryption of an object. */
export interface CustomerKey {
  key: Buffer
  /** Base64, as sent. */
  md5: string
}

export type ResponseHeaders = Record<string, string | number>

/** A request in progress: its parts, its caller, and methods to answer it once. */
export class StoreCall {
  #authentication: AuthenticationResult | undefined
  #continueSent = false
  #engine: Engine | undefined
  /** Customer keys in the request for its own object, and for the source of a copy. */
  customerKeys: { own?: CustomerKey | undefined; ofSource?: CustomerKey | undefined } = {}
  /** Tags in the request for an object or bucket: read by the authorization, used by policy conditions. */
  requestTags: TagMap = NO_TAGS

  constructor(
    readonly store: StoreServices,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly target: RequestTarget,
    readonly record: RequestRecord,
    /** Whether the client waits for `100 Continue` before it sends its body. */
    readonly expectsContinue: boolean,
  ) {}

  /** The engine, which records this caller with its changes. */
  get engine(): Engine {
    if (this.request.method === 'GET' || this.request.method === 'HEAD') return this.store.engine
    this.#engine ??= this.store.engine.forRequester({
      user: this.record.user,
      address: this.record.remoteAddress,
      userAgent: this.header('user-agent')?.slice(0, MAX_USER_AGENT) ?? '',
      requestId: this.record.id,
      ...(this.#authentication?.form && { form: true }),
    })
    return this.#engine
  }
  get id(): string {
    return this.record.id
  }
  get bucket(): string {
    return this.target.bucket
  }
  /** The key in the URL, or in a form that was posted to a bucket. */
  get key(): string {
    return this.#authentication?.form?.key ?? this.target.key
  }
  get query(): URLSearchParams {
    return this.target.query
  }

  /** Set by the authentication, before any other use of the call. */
  get authentication(): AuthenticationResult {
    if (!this.#authentication) throw new TypeError('the call has not passed the authentication gate')
    return this.#authentication
  }
  set authentication(authentication: AuthenticationResult) {
    this.#engine = undefined
    this.#authentication = authentication
    this.record.accessKey = authentication.identity?.accessKey ?? ''
    this.record.user = authentication.identity?.user ?? ''
    if (authentication.form) this.record.key = this.key
  }
  /** Undefined for an anonymous request. */
  get identity(): IamIdentity | undefined {
    return this.authentication.identity
  }

  /** Returns a header of the request by its name in lower case. */
  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(',') : value
  }

  /**
   * Returns the value of an `x-amz-…` name: the header or, for a form, the field. Headers of a form are ignored, because its
   * signature does not cover them.
   */
  headerOrField(name: string): string | undefined {
    const { form } = this.authentication
    return form ? form.fields[name] : this.header(name)
  }

  /** Sends `100 Continue`. Called by the reader of the body, so a refused body is never sent. */
  acceptBody(): void {
    if (!this.expectsContinue || this.#continueSent) return
    this.#continueSent = true
    this.response.writeContinue()
  }
  /** Whether the client still waits for `100 Continue`, so that its body will not be sent. */
  get bodyWithheld(): boolean {
    return this.expectsContinue && !this.#continueSent
  }

  /** Sends the status line and headers; the body follows by `response.write`, `end` or a pipeline. */
  head(status: number, headers: ResponseHeaders = {}): void {
    headers.Server = 'Stowage'
    headers['x-amz-request-id'] = this.record.id
    // `nosniff`: a type that is not HTML must not be sniffed as HTML.
    headers['X-Content-Type-Options'] = 'nosniff'
    recordAnswerHeaders(this.record, headers)
    this.response.writeHead(status, headers)
  }

  /** Answers with headers only. */
  empty(status: number, headers: ResponseHeaders = {}): void {
    if (status !== 204 && status !== 304) headers['Content-Length'] = 0
    this.head(status, headers)
    this.response.end()
  }

  xml(document: string, status = 200, headers: ResponseHeaders = {}): void {
    headers['Content-Type'] = 'application/xml'
    this.text(document, status, headers)
  }

  json(value: unknown, status = 200): void {
    this.text(JSON.stringify(value), status, { 'Content-Type': 'application/json' })
  }

  /** Answers with a whole body. */
  text(body: string | Buffer, status: number, headers: ResponseHeaders): void {
    headers['Content-Length'] = Buffer.byteLength(body)
    this.head(status, headers)
    this.response.end(body)
  }
}
