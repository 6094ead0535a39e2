import { expect, test } from 'vitest'
import { readPartName } from './upload-form.ts'

test.each([
  ['hello.txt', 'hello.txt', { name: 'hello.txt' }],
  ['5', 'sized.txt', { name: 'sized.txt', size: 5 }],
  ['0', 'empty', { name: 'empty', size: 0 }],
  ['2021', '2021', { name: '2021' }],
  ['dir/file', 'file', { name: 'dir/file' }],
  ['file', undefined, { name: 'file' }],
  ['5', undefined, { name: '5' }],
  ['99999999999999999999', 'x', { name: '99999999999999999999' }],
])('the part %j with the file name %j [OBJ-29]', (field, file, expected) =>
  expect(readPartName(field, file)).toEqual(expected),
)
