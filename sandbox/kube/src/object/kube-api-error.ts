import { type KubeJson, quoteLikeGo } from './json.ts'

/** An error about one field. */
export interface FieldError {
  reason: string
  message: string
  field: string
}

/** Field errors in the words of the API server. */
export const fieldErrors = {
  invalid(path: string, value: KubeJson | undefined, detail: string): FieldError {
    return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown(value)}: ${detail}`, field: path }
  },
  /** For a value of the wrong type, or one that a rule refuses: the message contains its type instead of the value. */
  invalidType(path: string, type: string, detail: string): FieldError {
    return { reason: 'FieldValueTypeInvalid', message: `Invalid value: ${quoteLikeGo(type)}: ${detail}`, field: path }
  },
  required(path: string, detail = ''): FieldError {
    return {
      reason: 'FieldValueRequired',
      message: detail ? `Required value: ${detail}` : 'Required value',
      field: path,
    }
  },
  forbidden(path: string, detail: string): FieldError {
    return { reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field: path }
  },
  notSupported(path: string, value: string, supported: readonly string[]): FieldError {
    const message = `Unsupported value: ${value}: supported values: ${supported.map(quoteLikeGo).join(', ')}`
    return { reason: 'FieldValueNotSupported', message, field: path }
  },
  duplicate(path: string, value: string): FieldError {
    return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${value}`, field: path }
  },
  notFound(path: string, value: string): FieldError {
    return { reason: 'FieldValueNotFound', message: `Not found: ${quoteLikeGo(value)}`, field: path }
  },
  tooLong(path: string, bytes: number): FieldError {
    return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${bytes} bytes`, field: path }
  },
  tooMany(path: string, count: number, most: number): FieldError {
    const message = `Too many: ${count}: must have at most ${most} items`
    return { reason: 'FieldValueTooMany', message, field: path }
  },
}

function shown(value: KubeJson | undefined): string {
  if (value === undefined || value === null) return '"null"'
  return typeof value === 'string' ? quoteLikeGo(value) : JSON.stringify(value)
}

export interface StatusDetails {
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: Partial<FieldError>[]
  retryAfterSeconds?: number
}

/** A kind, as named in errors. */
export interface NamedKind {
  readonly group: string
  readonly plural: string
}

/** An error answer; its body is an object of kind Status. */
export class KubeApiError extends Error {
  override readonly name = 'KubeApiError'
  constructor(
    readonly code: number,
    /** Undefined: the Status has no reason. */
    readonly reason: string | undefined,
    message: string,
    readonly details?: StatusDetails,
    /** Added to `metadata` of the Status. */
    readonly metadata: object = {},
  ) {
    super(message)
  }

  get status(): object {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.metadata,
      status: 'Failure',
      ...(this.message === '' ? {} : { message: this.message }),
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    }
  }
}

const qualifiedKind = ({ group, plural }: NamedKind) => (group === '' ? plural : `${plural}.${group}`)

function statusDetails({ group, plural }: NamedKind, name: string): StatusDetails {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural }
}

export const kubeErrors = {
  notFound: (kind: NamedKind, name: string) =>
    new KubeApiError(
      404,
      'NotFound',
      `${qualifiedKind(kind)} ${quoteLikeGo(name)} not found`,
      statusDetails(kind, name),
    ),
  alreadyExists: (kind: NamedKind, name: string, prefix = '') =>
    new KubeApiError(
      409,
      'AlreadyExists',
      `${prefix}${qualifiedKind(kind)} ${quoteLikeGo(name)} already exists`,
      statusDetails(kind, name),
    ),
  conflict: (kind: NamedKind, name: string, why = MODIFIED) =>
    new KubeApiError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${qualifiedKind(kind)} ${quoteLikeGo(name)}: ${why}`,
      statusDetails(kind, name),
    ),
  forbidden: (kind: NamedKind, name: string, why: string, causes?: FieldError[]) =>
    new KubeApiError(
      403,
      'Forbidden',
      `${qualifiedKind(kind)}${name === '' ? '' : ` ${quoteLikeGo(name)}`} is forbidden: ${why}`,
      {
        ...statusDetails(kind, name),
        ...(causes ? { causes } : {}),
      },
    ),
  /** @param kind as in `Tenant` and `minio.min.io` */
  invalid(kind: { kind: string; group: string }, name: string, causes: FieldError[]): KubeApiError {
    const all = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))]
    const what = all.length === 1 ? all[0] : `[${all.join(', ')}]`
    return new KubeApiError(
      422,
      'Invalid',
      `${kind.kind}${kind.group === '' ? '' : `.${kind.group}`} ${quoteLikeGo(name)} is invalid: ${what}`,
      {
        ...(name === '' ? {} : { name }),
        ...(kind.group === '' ? {} : { group: kind.group }),
        ...(kind.kind === '' ? {} : { kind: kind.kind }),
        causes,
      },
    )
  },
  badRequest: (message: string) => new KubeApiError(400, 'BadRequest', message),
  unauthorized: () => new KubeApiError(401, 'Unauthorized', 'Unauthorized'),
  noSuchResource: () => new KubeApiError(404, 'NotFound', 'the server could not find the requested resource', {}),
  methodNotAllowed: () =>
    new KubeApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
  notAcceptable: (offered: readonly string[]) =>
    new KubeApiError(
      406,
      'NotAcceptable',
      `406: Not Acceptable\n\nAvailable representations: ${offered.join(', ')}`,
      {},
    ),
  unsupportedMediaType: (message = '415: Unsupported Media Type') =>
    new KubeApiError(415, 'UnsupportedMediaType', message, {}),
  expired: (message: string, metadata?: object) => new KubeApiError(410, 'Expired', message, undefined, metadata),
  timeout: (message: string, details: StatusDetails) =>
    new KubeApiError(504, 'Timeout', `Timeout: ${message}`, details),
  internal: (message: string) =>
    new KubeApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }),
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again'

/** A path that no part of the server handles: answered with plain text, not a Status. */
export class KubePageNotFound extends Error {
  override readonly name = 'KubePageNotFound'
}
