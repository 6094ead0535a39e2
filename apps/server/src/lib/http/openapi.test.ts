import { contract } from '@stowage/contract/schemas'
import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'

const document = openApiDocument(contract, '1.2.3')
const paths = document.paths as Record<string, Record<string, { operationId: string; parameters: { name: string }[] }>>

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

test('it can be written as JSON', () => {
  expect(JSON.parse(JSON.stringify(document))).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
})
