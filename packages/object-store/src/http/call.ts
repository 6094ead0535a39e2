import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SigningKeys } from '@stowage/sigv4'
import type { Logger } from 'pino'
import type { Engine } from '../engine/types.ts'
import type { Iam } from '../iam/iam.ts'
import type { Identifier } from '../iam/identify.ts'
import type { Identity } from '../iam/identity.ts'
import type { Authentication, Tags } from './authentication.ts'
import type { BodyBudget } from './body-budget.ts'
import type { BucketPolicies } from './bucket-policies.ts'
import type { Recorder, RequestRecord } from './recorder.ts'
import type { Target } from './target.ts'

/** What every handler works with. */
export interface Store {
  readonly engine: Engine
  readonly iam: Iam
  readonly identifier: Identifier
  readonly bucketPolicies: BucketPolicies
  readonly signingKeys: SigningKeys
  readonly recorder: Recorder
  /** For bodies whose senders are not known. */
  readonly bodies: BodyBudget
  readonly log: Logger
  /** The region that clients are told. */
  readonly region: string
  /** Whether signatures and locations may name any other as well: nobody has set a region. */
  readonly anyRegion: boolean
  /** Lower case; empty without virtual-host names. */
  readonly domains: readonly string[]
  /** Whether a proxy in front tells who the client is. */
  readonly trustProxy: boolean
  /** Whether objects that a browser could run are answered with a policy against it. */
  readonly sandbox: boolean
  /** What the console that started this store proves itself by; undefined for a store alone. */
  readonly consoleSecret: string | undefined
  /** Asks the parent process for a restart or a stop of this one. */
  readonly control: (command: 'restart' | 'stop') => void
}

const NO_TAGS: Tags = {}

export type ResponseHeaders = Record<string, string | number>

/** One request on its way: what came, who it is from, and the means to answer it once. */
export class Call {
  #authentication: Authentication | undefined
  #continueSent = false
  /** What the request gives to an object or bucket as tags: read by the authorization gate, asked for by policies. */
  requestTags: Tags = NO_TAGS

  constructor(
    readonly store: Store,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly target: Target,
    readonly record: RequestRecord,
    /** The client waits for `100 Continue` before it sends its body. */
    readonly expectsContinue: boolean,
  ) {}

  get engine(): Engine {
    return this.store.engine
  }
  get id(): string {
    return this.record.id
  }
  get bucket(): string {
    return this.target.bucket
  }
  /** Of the URL, or of the form that was posted to a bucket's. */
  get key(): string {
    return this.#authentication?.form?.key ?? this.target.key
  }
  get query(): URLSearchParams {
    return this.target.query
  }

  /** Set by the authentication gate, before anything else looks at the call. */
  get authentication(): Authentication {
    if (!this.#authentication) throw new TypeError('the call has not passed the authentication gate')
    return this.#authentication
  }
  set authentication(authentication: Authentication) {
    this.#authentication = authentication
    this.record.accessKey = authentication.identity?.accessKey ?? ''
    this.record.user = authentication.identity?.user ?? ''
    if (authentication.form) this.record.key = this.key
  }
  /** Undefined for an anonymous request. */
  get identity(): Identity | undefined {
    return this.authentication.identity
  }

  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(',') : value
  }

  /**
   * What the request says of an object with this `x-amz-…` name: its header, or of a form the field. The headers of a
   * form count for nothing, since its signature does not cover them.
   */
  stated(name: string): string | undefined {
    const { form } = this.authentication
    return form ? form.fields[name] : this.header(name)
  }

  /** Lets a waiting client send its body. Called by whoever reads it, so a refused body is never sent. */
  acceptBody(): void {
    if (!this.expectsContinue || this.#continueSent) return
    this.#continueSent = true
    this.response.writeContinue()
  }
  /** The client holds its body back and was not asked for it. */
  get bodyWithheld(): boolean {
    return this.expectsContinue && !this.#continueSent
  }

  /** Sends the status line and headers; the body follows by `response.write`, `end` or a pipeline. */
  head(status: number, headers: ResponseHeaders = {}): void {
    headers.Server = 'Stowage'
    headers['x-amz-request-id'] = this.record.id
    // What is no HTML by its type is none by its looks either.
    headers['X-Content-Type-Options'] = 'nosniff'
    this.response.writeHead(status, headers)
  }

  /** Answers with headers alone. */
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
