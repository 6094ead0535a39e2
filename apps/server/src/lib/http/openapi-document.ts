import type { Endpoint } from '@stowage/contract'
import type { Route } from '@stowage/contract/call/route'
import { z } from 'zod'

type JsonSchemaObject = Record<string, unknown>

const BODY_TYPES: Readonly<Partial<Record<Endpoint['body'], string>>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  bytes: 'application/octet-stream',
}

/** An example of a call's input, without parts that the call does not have. */
interface Example {
  params?: JsonSchemaObject
  query?: JsonSchemaObject
  body?: unknown
}

/** Returns the OpenAPI 3.1 document of a contract, with an example for every call. */
export function openApiDocument(
  contract: Readonly<Record<string, Route>>,
  examples: Readonly<Record<string, Example>>,
  version: string,
): JsonSchemaObject {
  const paths: Record<string, JsonSchemaObject> = {}
  for (const [name, route] of Object.entries(contract)) {
    const path = route.endpoint.path.replace(/:(\w+)/g, '{$1}')
    const method = route.endpoint.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: createOperation(name, route, examples[name] ?? {}) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Stowage', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    // Relative to the URL of this document, which is below /api/v1 under any base path.
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

const ERROR: JsonSchemaObject = {
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

function createOperation(
  name: string,
  { endpoint, summary, params, query, body, response }: Route,
  example: Example,
): JsonSchemaObject {
  return {
    operationId: name,
    summary,
    tags: [endpoint.area],
    ...(endpoint.access === 'anonymous' ? { security: [] } : {}),
    ...describeEndpoint(endpoint),
    parameters: [...parameters('path', params, example.params), ...parameters('query', query, example.query)],
    ...requestBody(endpoint, body, example.body),
    responses: {
      [endpoint.status]: { description: summary, ...answerContent(endpoint, response) },
      default: {
        description: 'Refused or failed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function describeEndpoint({ actions, answer }: Endpoint): JsonSchemaObject {
  const sentences = [
    ...(actions.length > 0 ? [`Needs ${actions.join(', ')}.`] : []),
    ...(answer === 'socket' ? [SOCKET] : []),
  ]
  return sentences.length > 0 ? { description: sentences.join(' ') } : {}
}

const SOCKET =
  'A WebSocket: the schema is that of one text frame. It closes with 1000 at the end, 1008 when an option is wrong, ' +
  'a right is missing or the session is over, and 1011 when the storage server fails.'

function parameters(place: 'path' | 'query', schema: z.ZodType, example: JsonSchemaObject = {}): JsonSchemaObject[] {
  const { properties = {}, required = [] } = toJsonSchema(schema) as {
    properties?: Record<string, JsonSchemaObject>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    ...(name in example ? { example: example[name] } : {}),
  }))
}

function requestBody(endpoint: Endpoint, body: z.ZodType, example: unknown): JsonSchemaObject {
  const type = BODY_TYPES[endpoint.body]
  if (!type) return {}
  const content = { schema: bodySchema(endpoint, body), ...(example === undefined ? {} : { example }) }
  return { requestBody: { content: { [type]: content } } }
}

function bodySchema(endpoint: Endpoint, body: z.ZodType): JsonSchemaObject {
  if (endpoint.body === 'bytes') return { type: 'string', contentMediaType: 'application/octet-stream' }
  if (endpoint.body === 'multipart')
    return { type: 'object', additionalProperties: { type: 'string', contentMediaType: 'application/octet-stream' } }
  return toJsonSchema(body)
}

function answerContent(endpoint: Endpoint, response: z.ZodType): JsonSchemaObject {
  if (endpoint.answer === 'empty') return {}
  if (endpoint.answer === 'stream') return { content: { 'application/octet-stream': {} } }
  const type = endpoint.answer === 'lines' ? 'application/x-ndjson' : 'application/json'
  return { content: { [type]: { schema: toJsonSchema(response) } } }
}

/** Returns the schema of the wire form: before defaults are added and null becomes an empty list. */
function toJsonSchema(schema: z.ZodType): JsonSchemaObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json
}
