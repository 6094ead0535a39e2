import type { Endpoint } from '@stowage/contract'
import type { Route } from '@stowage/contract/route'
import { z } from 'zod'

type Json = Record<string, unknown>

const BODY_TYPES: Readonly<Partial<Record<Endpoint['body'], string>>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  bytes: 'application/octet-stream',
}

/** The OpenAPI 3.1 document of a contract. */
export function openApiDocument(contract: Readonly<Record<string, Route>>, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const [name, route] of Object.entries(contract)) {
    const path = route.endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.endpoint.method.toLowerCase()]: operation(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Stowage', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    // Relative to where this document stands, which is below /api/v1 under whatever base path.
    servers: [{ url: '../../' }],
    security: [{ cookie: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Error: ERROR },
    },
  }
}

const ERROR: Json = {
  type: 'object',
  required: ['code', 'message', 'detailedMessage'],
  properties: {
    code: { type: 'integer', description: 'The HTTP status; 602, 604 … where a field of the request is wrong' },
    message: { type: 'string' },
    detailedMessage: { type: 'string', description: 'The cause as the storage server told it' },
    cause: { type: 'string', description: 'The code of the storage server, such as NoSuchBucket' },
    field: { type: 'string', description: 'The field of the request that is wrong' },
    requestId: { type: 'string' },
  },
}

function operation(name: string, { endpoint, params, query, body, response }: Route): Json {
  const bodyType = BODY_TYPES[endpoint.body]
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [areaOf(endpoint.path)],
    ...(endpoint.access === 'anonymous' ? { security: [] } : {}),
    ...(endpoint.actions ? { description: `Needs ${endpoint.actions.join(', ')}.` } : {}),
    parameters: [...parameters('path', params), ...parameters('query', query)],
    ...(bodyType ? { requestBody: { content: { [bodyType]: { schema: bodySchema(endpoint, body) } } } } : {}),
    responses: {
      [endpoint.status]: { description: endpoint.summary, ...answerContent(endpoint, response) },
      default: {
        description: 'Refused or failed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function areaOf(path: string): string {
  if (/\/(objects|delete-objects)/.test(path)) return 'objects'
  if (path.includes('/buckets')) return 'buckets'
  return path.includes('/admin/') ? 'admin' : 'session'
}

function parameters(place: 'path' | 'query', schema: z.ZodType): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function bodySchema(endpoint: Endpoint, body: z.ZodType): Json {
  if (endpoint.body === 'bytes') return { type: 'string', contentMediaType: 'application/octet-stream' }
  if (endpoint.body === 'multipart')
    return { type: 'object', additionalProperties: { type: 'string', contentMediaType: 'application/octet-stream' } }
  return toJsonSchema(body)
}

function answerContent(endpoint: Endpoint, response: z.ZodType): Json {
  if (endpoint.answer === 'empty') return {}
  if (endpoint.answer === 'stream') return { content: { 'application/octet-stream': {} } }
  const type = endpoint.answer === 'lines' ? 'application/x-ndjson' : 'application/json'
  return { content: { [type]: { schema: toJsonSchema(response) } } }
}

/** As the wire carries it: before defaults are filled in and lists are made of nulls. */
function toJsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json
}
