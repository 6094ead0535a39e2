import { S3Error } from '../../lib/errors.ts'
import type { StoreCall } from '../call/call.ts'
import type { S3Operation } from '../call/s3-operation.ts'
import { notImplementedOperation, unhandledSubResource } from './sub-resources.ts'

/** Finds the operation of a request. Operations with the most conditions are tried first. */
export class S3Router {
  readonly #table = new Map<string, S3Operation[]>()

  constructor(operations: readonly S3Operation[]) {
    for (const operation of operations) {
      const place = `${operation.level} ${operation.method}`
      const list = this.#table.get(place) ?? []
      list.push(operation)
      this.#table.set(place, list)
    }
    for (const list of this.#table.values()) list.sort((a, b) => conditionCount(b) - conditionCount(a))
  }

  /** @throws S3Error MethodNotAllowed */
  find(call: StoreCall): S3Operation {
    const { bucket, key, query } = call.target
    const level = bucket === '' ? 'service' : key === '' ? 'bucket' : 'object'
    const method = call.request.method ?? ''
    const found = this.#match(call, `${level} ${method}`)
    if (query.size > 0 && isS3Method(method)) {
      const strayed = unhandledSubResource(query, level, method, found)
      if (strayed !== undefined) return notImplementedOperation(level, method, strayed)
    }
    if (found) return found
    throw new S3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.')
  }

  #match({ target: { query }, request, authentication }: StoreCall, place: string): S3Operation | undefined {
    const bare = query.size === 0
    const isForm = authentication.form !== undefined
    return this.#table.get(place)?.find((operation) => {
      if ((operation.form ?? false) !== isForm) return false
      if (operation.query !== undefined && (bare || !operation.query.every((wanted) => queryHas(query, wanted)))) {
        return false
      }
      return operation.header === undefined || request.headers[operation.header] !== undefined
    })
  }
}

function isS3Method(method: string): method is S3Operation['method'] {
  return method === 'GET' || method === 'HEAD' || method === 'PUT' || method === 'POST' || method === 'DELETE'
}

function conditionCount(operation: S3Operation): number {
  return (operation.query?.length ?? 0) + (operation.header === undefined ? 0 : 1)
}

function queryHas(query: URLSearchParams, wanted: string): boolean {
  const equals = wanted.indexOf('=')
  return equals < 0 ? query.has(wanted) : query.get(wanted.slice(0, equals)) === wanted.slice(equals + 1)
}
