// @vitest-environment happy-dom
import '../../../testing/dom.ts'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { uploadFormCommand, uploadFormPage } from './upload-form.ts'

const hostile = `"><script>alert('1')</script>&\\'`
const form = { url: 'https://s3.example.com/photos', fields: { key: `${hostile}/x`, policy: 'e30=' } }
const words = { title: hostile, notes: [hostile], file: 'File', send: 'Upload', language: 'en' }

test('the page has every field before the file, and all text is escaped', () => {
  const parsed = new DOMParser().parseFromString(uploadFormPage(form, words), 'text/html')
  expect(parsed.querySelectorAll('script')).toHaveLength(0)
  const inputs = [...parsed.querySelectorAll('input')]
  expect(inputs.map(({ name, value }) => [name, value])).toEqual([
    ['key', `${hostile}/x`],
    ['policy', 'e30='],
    ['file', ''],
  ])
  expect(parsed.querySelector('form')?.getAttribute('action')).toBe('https://s3.example.com/photos')
  expect(parsed.title).toBe(hostile)
})

test('the command passes each field unchanged', () => {
  const command = uploadFormCommand(form, 'my file.bin').replace(/^curl/, "printf '%s\\n'")
  const lines = execFileSync('sh', ['-c', command]).toString().trimEnd().split('\n')
  expect(lines).toEqual([
    '--fail',
    '--form-string',
    `key=${hostile}/x`,
    '--form-string',
    'policy=e30=',
    '-F',
    'file=@my file.bin',
    'https://s3.example.com/photos',
  ])
})
