/** The error reasons of API servers. Any other is `Unknown`, see `rawCode`. */
export const KUBE_REASONS = [
  'AlreadyExists',
  'BadRequest',
  'Conflict',
  'Expired',
  'Forbidden',
  'Gone',
  'InternalError',
  'Invalid',
  'MethodNotAllowed',
  'NotAcceptable',
  'NotFound',
  'RequestEntityTooLarge',
  'ServerTimeout',
  'ServiceUnavailable',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'Unauthorized',
  'UnsupportedMediaType',
] as const

export type KubeReason = (typeof KUBE_REASONS)[number]

/** An error of the API server about one field. */
export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/** The object of kind Status in the answer to a failed call. */
export interface KubeStatus {
  readonly kind: 'Status'
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly details?: {
    readonly name?: string
    readonly group?: string
    readonly kind?: string
    readonly uid?: string
    readonly causes?: readonly StatusCause[]
    readonly retryAfterSeconds?: number
  }
}

/** The reason for a status, if the answer contains none, as from proxies. */
const REASON_BY_STATUS: Readonly<Record<number, KubeReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/**
 * A call that the API server refused. Network errors are not wrapped: they are thrown as by undici, with their `code`
 * (`ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`).
 */
export class KubeError extends Error {
  override readonly name = 'KubeError'
  readonly code: KubeReason | 'Unknown'
  /** The server's own reason, also if `code` is `Unknown`; empty if it gave none. */
  readonly rawCode: string
  /** HTTP status. */
  readonly status: number
  /** The invalid fields; empty for most errors. */
  readonly causes: readonly StatusCause[]
  readonly details: KubeStatus['details'] | undefined
  /** How long the server asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined

  constructor(status: KubeStatus, options?: ErrorOptions) {
    super(status.message || `The API server answered with status ${status.code ?? 0}`, options)
    this.status = status.code ?? 0
    this.rawCode = status.reason ?? ''
    this.code =
      KUBE_REASONS.find((reason) => reason === status.reason) ??
      (status.reason ? 'Unknown' : (REASON_BY_STATUS[this.status] ?? 'Unknown'))
    this.causes = status.details?.causes ?? []
    this.details = status.details
    const seconds = status.details?.retryAfterSeconds
    this.retryAfterMs = seconds === undefined ? undefined : seconds * 1000
  }

  /** Reads the body of a failed answer, from the API server or from a proxy. */
  static fromAnswer(status: number, body: string, retryAfter?: string): KubeError {
    const parsedStatus = parseStatus(body)
    const seconds = parsedStatus?.details?.retryAfterSeconds ?? parseRetryAfter(retryAfter)
    return new KubeError({
      ...(parsedStatus ?? { kind: 'Status', message: plainText(body) }),
      code: status,
      details: { ...parsedStatus?.details, ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) },
    })
  }
}

function parseStatus(body: string): KubeStatus | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed === 'object' && parsed !== null && 'kind' in parsed && parsed.kind === 'Status')
      return parsed as KubeStatus
  } catch {
    // Not JSON: a proxy's page, or the plain text of the API server's outermost layer.
  }
  return undefined
}

/** A short plain answer, such as `404 page not found`. Web pages are never shown. */
function plainText(body: string): string {
  const text = body.trim()
  return text.length <= 200 && !text.startsWith('<') && !text.startsWith('{') ? text : ''
}

function parseRetryAfter(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}
