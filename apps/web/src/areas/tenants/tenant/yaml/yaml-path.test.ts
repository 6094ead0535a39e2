import { expect, test } from 'vitest'
import { yamlPathAt } from './yaml-path.ts'

const text = `apiVersion: minio.min.io/v2
metadata:
  name: alpha
spec:
  # The servers
  pools:
    - name: pool-0
      servers: 4
      resources:
        requests:
          memory: 2Gi
    - servers: 2
  users:
  - name: anna
    note: x
  image: minio/minio

  kes:
    kesSecret:
      name: kes
`

test.each([
  ['apiVersion', []],
  ['name: alpha', ['metadata']],
  ['pools:', ['spec']],
  ['name: pool-0', ['spec', 'pools']],
  ['servers: 4', ['spec', 'pools']],
  ['memory', ['spec', 'pools', 'resources', 'requests']],
  ['servers: 2', ['spec', 'pools']],
  ['name: anna', ['spec', 'users']],
  ['note: x', ['spec', 'users']],
  ['image', ['spec']],
  ['name: kes', ['spec', 'kes', 'kesSecret']],
])('the path of %j', (words, path) => {
  expect(yamlPathAt(text, text.indexOf(words) + 1)).toEqual(path)
})

test('an empty text, and a position after the end', () => {
  expect(yamlPathAt('', 0)).toEqual([])
  expect(yamlPathAt('spec:\n  ', 8)).toEqual(['spec'])
})
