import type { IncomingMessage } from 'node:http'
import { isJsonObject, type KubeJsonObject, quoteLikeGo } from '../object/json.ts'
import { KubeApiError, kubeErrors } from '../object/kube-api-error.ts'
import { jsonType } from '../types/go-types.ts'

const MAX_BODY = 3 * 2 ** 20

/** @throws ApiError RequestEntityTooLarge */
export async function readKubeBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY)
      throw new KubeApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY}`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Parses the object in a body.
 * @param kind expected kind of the object
 * @throws ApiError UnsupportedMediaType, BadRequest
 */
export function parseObject(text: string, contentType: string | undefined, kind: string): KubeJsonObject {
  checkContentType(contentType)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw unrecognizedBody(kind, `json parse error: unexpected end of JSON input (${text || '<empty>'})`)
  }
  if (isJsonObject(value)) return value
  const type = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
  const hex = Buffer.from(text).toString('hex')
  throw unrecognizedBody(
    kind,
    `json parse error: json: cannot unmarshal ${jsonType(value)} into Go value of type ${type} (${hex})`,
  )
}

const unrecognizedBody = (kind: string, why: string) =>
  kubeErrors.badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; ${why}`,
  )

export function checkContentType(contentType: string | undefined): void {
  const type = mediaType(contentType)
  if (type === undefined || type === 'application/json') return
  throw kubeErrors.unsupportedMediaType(
    'the body of the request was in an unknown format - accepted media types include: application/json',
  )
}

export function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(';')[0]?.trim().toLowerCase()
}

/** Returns the duplicate names in objects of a JSON text, which JSON.parse would accept. */
export function duplicateFields(text: string): string[] {
  const found: string[] = []
  const scopes: { names: Set<string> | undefined; path: string; index: number }[] = []
  let at = 0
  let name = ''
  const texts = /"(?:[^"\\]|\\.)*"/y
  while (at < text.length) {
    const char = text[at]
    const scope = scopes.at(-1)
    if (char === '"') {
      texts.lastIndex = at
      const [literal = '"'] = texts.exec(text) ?? []
      at += literal.length
      const isName = scope?.names && /^\s*:/.test(text.slice(at, at + 64))
      if (isName) {
        name = JSON.parse(literal) as string
        const path = scope.path === '' ? name : `${scope.path}.${name}`
        if (scope.names?.has(name)) found.push(path)
        scope.names?.add(name)
      }
      continue
    }
    if (char === '{' || char === '[') {
      const own = scope === undefined ? '' : scope.names ? join(scope.path, name) : `${scope.path}[${scope.index}]`
      scopes.push({ names: char === '{' ? new Set() : undefined, path: own, index: 0 })
    } else if (char === '}' || char === ']') scopes.pop()
    else if (char === ',' && scope) scope.index++
    at++
  }
  return found
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

export function duplicateMessage(paths: string[]): string {
  return `strict decoding error: ${paths.map((path) => `duplicate field ${quoteLikeGo(path)}`).join(', ')}`
}
