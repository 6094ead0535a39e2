import { expect, test } from 'vitest'
import { type FieldSchema, schemaFieldsAt } from './tenant-schema.ts'

const schema: FieldSchema = {
  properties: {
    spec: {
      type: 'object',
      required: ['pools'],
      properties: {
        image: { type: 'string', description: 'The image' },
        pools: {
          type: 'array',
          items: { required: ['servers'], properties: { servers: { type: 'integer' }, name: { type: 'string' } } },
        },
        imagePullPolicy: { type: 'string', enum: ['Always', 'Never'] },
      },
    },
  },
}
const names = (path: string) => schemaFieldsAt(schema, path).map(({ name }) => name)

test('the fields at a path, by name, with their types', () => {
  expect(schemaFieldsAt(schema, 'spec')).toEqual([
    { name: 'image', type: 'string', description: 'The image', required: false, values: [] },
    { name: 'imagePullPolicy', type: 'string', description: '', required: false, values: ['Always', 'Never'] },
    { name: 'pools', type: 'array', description: '', required: true, values: [] },
  ])
})

test.each([
  ['', ['spec']],
  ['spec.pools', ['name', 'servers']],
  ['spec.pools.servers', []],
  ['spec.nothing', []],
  ['__proto__', []],
  ['constructor.prototype', []],
])('at %j', (path, expected) => expect(names(path)).toEqual(expected))
