import { examples } from '@stowage/contract/examples'
import { contract } from '@stowage/contract/schemas'
import { expect, test } from 'vitest'
import { openApiDocument } from './openapi-document.ts'

const document = openApiDocument(contract, examples, '1.2.3')
interface Operation {
  operationId: string
  tags: string[]
  parameters: { name: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
const paths = document.paths as Record<string, Record<string, Operation>>

test('every call of the contract is in the document, with its parameters', () => {
  const described = Object.values(paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  )
  expect(described.sort()).toEqual(Object.keys(contract).sort())
  const list = paths['/api/v1/buckets/{bucket}/objects']?.get
  expect(list?.parameters.map((parameter) => parameter.name)).toEqual(
    expect.arrayContaining(['bucket', 'prefix', 'limit', 'continuation']),
  )
})

test('every call is under the tag of its area', () => {
  const tags = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId, tags }) => [operationId, tags]),
  )
  expect(Object.fromEntries(tags)).toMatchObject({
    getSession: ['session'],
    setBucketQuota: ['buckets'],
    deleteObjects: ['objects'],
    getAdminInfo: ['admin'],
  })
})

test('parameters and bodies have examples', () => {
  const quota = paths['/api/v1/buckets/{bucket}/quota']?.put
  expect(quota?.parameters).toMatchObject([{ name: 'bucket', example: 'photos' }])
  expect(quota?.requestBody?.content['application/json']?.example).toMatchObject({ enabled: true })
  const list = paths['/api/v1/buckets/{bucket}/objects']?.get
  expect(list?.parameters.find(({ name }) => name === 'limit')?.example).toBe(100)
})

test('the document can be written as JSON', () => {
  expect(JSON.parse(JSON.stringify(document))).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
})
