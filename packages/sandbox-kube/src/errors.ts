import { type Json, quoted } from './json.ts'

/** An error about one field. */
export interface FieldError {
  reason: string
  message: string
  field: string
}

/** Field errors in the words of the API server. */
export const field = {
  invalid(path: string, value: Json | undefined, detail: string): FieldError {
    return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown(value)}: ${detail}`, field: path }
  },
  /** For a value of the wrong type, or one that a rule refuses: the message contains its type instead of the value. */
  invalidType(path: string, type: string, detail: string): FieldError {
    return { reason: 'FieldValueTypeInvalid', message: `Invalid value: ${quoted(type)}: ${detail}`, field: path }
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
    const message = `Unsupported value: ${value}: supported values: ${supported.map(quoted).join(', ')}`
    return { reason: 'FieldValueNotSupported', message, field: path }
  },
  duplicate(path: string, value: string): FieldError {
    return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${value}`, field: path }
  },
  notFound(path: string, value: string): FieldError {
    return { reason: 'FieldValueNotFound', message: `Not found: ${quoted(value)}`, field: path }
  },
  tooLong(path: string, bytes: number): FieldError {
    return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${bytes} bytes`, field: path }
  },
  tooMany(path: string, count: number, most: number): FieldError {
    const message = `Too many: ${count}: must have at most ${most} items`
    return { reason: 'FieldValueTooMany', message, field: path }
  },
}

function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return '"null"'
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
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
export interface Named {
  readonly group: string
  readonly plural: string
}

/** An error answer; its body is an object of kind Status. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
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

const qualified = ({ group, plural }: Named) => (group === '' ? plural : `${plural}.${group}`)

function detailsOf({ group, plural }: Named, name: string): StatusDetails {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural }
}

export const fail = {
  notFound: (kind: Named, name: string) =>
    new ApiError(404, 'NotFound', `${qualified(kind)} ${quoted(name)} not found`, detailsOf(kind, name)),
  alreadyExists: (kind: Named, name: string, prefix = '') =>
    new ApiError(
      409,
      'AlreadyExists',
      `${prefix}${qualified(kind)} ${quoted(name)} already exists`,
      detailsOf(kind, name),
    ),
  conflict: (kind: Named, name: string, why = MODIFIED) =>
    new ApiError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${qualified(kind)} ${quoted(name)}: ${why}`,
      detailsOf(kind, name),
    ),
  forbidden: (kind: Named, name: string, why: string, causes?: FieldError[]) =>
    new ApiError(403, 'Forbidden', `${qualified(kind)}${name === '' ? '' : ` ${quoted(name)}`} is forbidden: ${why}`, {
      ...detailsOf(kind, name),
      ...(causes ? { causes } : {}),
    }),
  /** @param kind as in `Tenant` and `minio.min.io` */
  invalid(kind: { kind: string; group: string }, name: string, causes: FieldError[]): ApiError {
    const all = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))]
    const what = all.length === 1 ? all[0] : `[${all.join(', ')}]`
    return new ApiError(
      422,
      'Invalid',
      `${kind.kind}${kind.group === '' ? '' : `.${kind.group}`} ${quoted(name)} is invalid: ${what}`,
      {
        ...(name === '' ? {} : { name }),
        ...(kind.group === '' ? {} : { group: kind.group }),
        ...(kind.kind === '' ? {} : { kind: kind.kind }),
        causes,
      },
    )
  },
  badRequest: (message: string) => new ApiError(400, 'BadRequest', message),
  unauthorized: () => new ApiError(401, 'Unauthorized', 'Unauthorized'),
  noSuchResource: () => new ApiError(404, 'NotFound', 'the server could not find the requested resource', {}),
  methodNotAllowed: () =>
    new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
  notAcceptable: (offered: readonly string[]) =>
    new ApiError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${offered.join(', ')}`, {}),
  unsupportedMediaType: (message = '415: Unsupported Media Type') =>
    new ApiError(415, 'UnsupportedMediaType', message, {}),
  expired: (message: string, metadata?: object) => new ApiError(410, 'Expired', message, undefined, metadata),
  timeout: (message: string, details: StatusDetails) => new ApiError(504, 'Timeout', `Timeout: ${message}`, details),
  internal: (message: string) =>
    new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }),
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again'

/** A path that no part of the server handles: answered with plain text, not a Status. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound'
}
