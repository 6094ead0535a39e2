import { MiB } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { pseudoRandomBytes } from '../../support/data/bytes.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const part = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n${content}`
const big = pseudoRandomBytes('big', MiB).toString('base64')

test.each([
  ['ends in its second file, while the first is being stored', `${part('one', big)}\r\n${part('two', 'half')}`],
  ['ends in the head of its second file', `${part('one', big)}\r\n--b\r\nContent-Disposition: form-`],
  ['ends before its first file', '--b\r\n'],
  ['is empty', ''],
  ['has another boundary than announced', part('one', 'x').replaceAll('--b', '--c')],
])('a form that %s is refused and does no harm', async (_, text) => {
  const bucket = await c.newBucket()
  const response = await c.root.send(
    'uploadObjects',
    { params: { bucket }, query: {}, body: new TextEncoder().encode(text) as never },
    { headers: { 'content-type': 'multipart/form-data; boundary=b' } },
  )
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ message: expect.stringMatching(/form/) })
  const { objects } = await c.call('listObjects', { params: { bucket }, query: {} })
  expect(objects.map((o) => o.name)).not.toContain('two')
})
