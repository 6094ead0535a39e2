import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { afterAll, expect, test } from 'vitest'
import { newTierObjectName } from '../engine/interface/tier-object-names.ts'
import { egressTo, ROOT_CREDENTIALS, startTestStore } from '../http/testing/test-store.ts'
import { s3Driver } from './s3-driver.ts'

const MiB = 2 ** 20
const remote = await startTestStore()
await remote.engine.createBucket('cold')
afterAll(async () => {
  await egress.close()
  await remote[Symbol.asyncDispose]()
})

const egress = egressTo('127.0.0.1')
const place = { endpoint: remote.url, bucket: 'cold', prefix: 'p', region: '', storageClass: '', ...ROOT_CREDENTIALS }
const driver = s3Driver(place, async () => egress.dispatcher, 5 * MiB)
const uploads = async () => (await remote.s3().send(new ListMultipartUploadsCommand({ Bucket: 'cold' }))).Uploads ?? []
/** In chunks whose boundaries differ from those of the parts. */
const bodyChunks = (bytes: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 700_001) }, (_, i) => bytes.subarray(i * 700_001, (i + 1) * 700_001)),
  )
async function read(object: string, start: number, end: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of driver.get(object, { start, end })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('an object above 5 GiB has a name by which it is put in parts', () => {
  expect(newTierObjectName('d', 5 * 1024 ** 3)).toMatch(/^d\/[-0-9a-f]{36}$/)
  expect(newTierObjectName('d', 5 * 1024 ** 3 + 1)).toMatch(/^d\/[-0-9a-f]{36}\.parts$/)
})

test('an object is put in parts, read across them, and removed with an upload that a crash has left', async () => {
  const bytes = randomBytes(12 * MiB + 3)
  await driver.put('a.parts', bytes.length, bodyChunks(bytes))
  const { info } = remote.engine.getObject('cold', 'p/a.parts')
  expect(info.parts?.map(({ size }) => size)).toEqual([5 * MiB, 5 * MiB, 2 * MiB + 3])
  expect((await read('a.parts', 4 * MiB, 11 * MiB)).equals(bytes.subarray(4 * MiB, 11 * MiB))).toBe(true)
  await remote.s3().send(new CreateMultipartUploadCommand({ Bucket: 'cold', Key: 'p/a.parts' }))
  await driver.remove('a.parts')
  expect(await uploads()).toEqual([])
  await expect(read('a.parts', 0, 1)).rejects.toMatchObject({ code: 'NoSuchKey' })
})

test('a body that ends early leaves neither an object nor parts', async () => {
  const bytes = randomBytes(6 * MiB)
  await expect(driver.put('b.parts', 7 * MiB, bodyChunks(bytes))).rejects.toThrow()
  expect(await uploads()).toEqual([])
  await expect(read('b.parts', 0, 1)).rejects.toMatchObject({ code: 'NoSuchKey' })
})
