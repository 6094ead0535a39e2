import { sample } from '@stowage/contract/samples'
import type { TestTarget } from './target.ts'

/** Gives the name of a real thing for a sample name; always the same one within one input. */
export type Real = (name: string) => Promise<string>

/** How the thing with a sample name is created, or a free name found. */
const makers: Record<string, (c: TestTarget, real: Real) => Promise<string>> = {
  [sample.bucket]: async (c) => await c.newBucket('walk'),
  [sample.newBucket]: async (c) => c.freshName('walk'),
  [sample.key]: async (c, real) => {
    const file = new FormData()
    file.append('lake.jpg', new Blob(['x']), 'lake.jpg')
    const params = { bucket: await real(sample.bucket) }
    const response = await c.root.send('uploadObjects', { params, query: { prefix: 'italy/' }, body: file })
    await response.body?.cancel()
    return sample.key
  },
  [sample.uploadId]: async (c, real) => {
    const params = { bucket: await real(sample.bucket) }
    return (await c.call('createUpload', { params, query: { prefix: sample.key }, body: {} })).upload_id
  },
  [sample.partEtag]: async (c, real) => {
    const params = { bucket: await real(sample.bucket), uploadId: await real(sample.uploadId), part: 1 }
    const body = new Uint8Array([1]) as never
    return (await c.call('uploadPart', { params, query: { prefix: sample.key }, body })).etag
  },
}

/** The input of an example with each sample name replaced by the name of something that exists on the target. */
export async function realInput(c: TestTarget, example: object): Promise<object> {
  const made = new Map<string, Promise<string>>()
  const real: Real = (name) => {
    const make = makers[name]
    if (!make) return Promise.resolve(name)
    const known = made.get(name) ?? make(c, real)
    made.set(name, known)
    return known
  }
  return (await replaceText(example, real)) as object
}

async function replaceText(value: unknown, real: Real): Promise<unknown> {
  if (typeof value === 'string') return await real(value)
  if (Array.isArray(value)) return await Promise.all(value.map((item) => replaceText(item, real)))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(async ([name, member]) => [name, await replaceText(member, real)] as const)
  return Object.fromEntries(await Promise.all(members))
}
