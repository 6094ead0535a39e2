import { S3Error } from '../../errors.ts'
import type { Call } from '../call.ts'
import type { Operation } from './operation.ts'
import { notImplemented, strayedSubResource } from './sub-resources.ts'

/** Finds the operation of a request. Operations with the most conditions are tried first. */
export class S3Router {
  readonly #table = new Map<string, Operation[]>()

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      const place = `${operation.level} ${operation.method}`
      const list = this.#table.get(place) ?? []
      list.push(operation)
      this.#table.set(place, list)
    }
    for (const list of this.#table.values()) list.sort((a, b) => conditions(b) - conditions(a))
  }

  /** @throws S3Error MethodNotAllowed */
  find(call: Call): Operation {
    const { bucket, key, query } = call.target
    const level = bucket === '' ? 'service' : key === '' ? 'bucket' : 'object'
    const method = call.request.method ?? ''
    const found = this.#match(call, `${level} ${method}`)
    if (query.size > 0 && isMethod(method)) {
      const strayed = strayedSubResource(query, level, method, found)
      if (strayed !== undefined) return notImplemented(level, method, strayed)
    }
    if (found) return found
    throw new S3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.')
  }

  #match({ target: { query }, request, authentication }: Call, place: string): Operation | undefined {
    const bare = query.size === 0
    const isForm = authentication.form !== undefined
    return this.#table.get(place)?.find((operation) => {
      if ((operation.form ?? false) !== isForm) return false
      if (operation.query !== undefined && (bare || !operation.query.every((wanted) => holds(query, wanted)))) {
        return false
      }
      return operation.header === undefined || request.headers[operation.header] !== undefined
    })
  }
}

function isMethod(method: string): method is Operation['method'] {
  return method === 'GET' || method === 'HEAD' || method === 'PUT' || method === 'POST' || method === 'DELETE'
}

function conditions(operation: Operation): number {
  return (operation.query?.length ?? 0) + (operation.header === undefined ? 0 : 1)
}

function holds(query: URLSearchParams, wanted: string): boolean {
  const equals = wanted.indexOf('=')
  return equals < 0 ? query.has(wanted) : query.get(wanted.slice(0, equals)) === wanted.slice(equals + 1)
}
