import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setSettingDocument } from '../../bucket-settings/testing.ts'
import type { TierAccess } from '../interface/types.ts'
import { TestEngine } from '../testing/test-engine.ts'

/** A tier in memory that can fail. */
class MemoryTier implements TierAccess {
  readonly objects = new Map<string, Buffer>()
  beforePut: () => Promise<void> = () => Promise.resolve()
  afterPut: () => Promise<void> = () => Promise.resolve()

  async put(_: string, object: string, _size: number, body: AsyncIterable<Uint8Array>): Promise<void> {
    await this.beforePut()
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(Buffer.from(chunk))
    this.objects.set(object, Buffer.concat(chunks))
    await this.afterPut()
  }

  async *get(_: string, object: string, { start, end }: { start: number; end: number }) {
    const content = this.objects.get(object)
    if (!content) throw new Error('gone')
    yield content.subarray(start, end)
  }

  async remove(_: string, object: string): Promise<void> {
    this.objects.delete(object)
  }
}

const RULE =
  '<LifecycleConfiguration><Rule><ID>r</ID><Status>Enabled</Status><Filter/>' +
  '<Transition><Days>0</Days><StorageClass>COLD</StorageClass></Transition></Rule></LifecycleConfiguration>'
const object = { bucket: 'b', key: 'k', versionId: 'null' }
const content = Buffer.alloc(50_000, 'content ')

async function startWithObject() {
  const store = await TestEngine.start(2)
  const tier = new MemoryTier()
  store.engine.setTierAccess(tier)
  await store.engine.createBucket('b')
  await setSettingDocument(store.engine, 'b', 'lifecycle', RULE)
  await store.put('b', 'k', content)
  return { store, tier }
}

test('a transition that ends before its commit leaves the object here, and nothing on the tier', async () => {
  const { store, tier } = await startWithObject()
  await using _ = store
  tier.afterPut = () => Promise.reject(new Error('the connection broke'))
  await expect(store.engine.transitionVersion(object)).rejects.toThrow('the connection broke')
  await expect.poll(() => tier.objects.size).toBe(0)
  expect(await store.text('b', 'k')).toBe(content.toString())
  // Same state as after a crash: the object was announced and written, then the store ended.
  let reached = () => {}
  const written = new Promise<void>((resolve) => (reached = resolve))
  let free = () => {}
  tier.afterPut = () => {
    reached()
    return new Promise<void>((_, reject) => (free = () => reject(new Error('cut'))))
  }
  const cut = store.engine.transitionVersion(object).catch(() => 'cut')
  await written
  expect(tier.objects.size).toBe(1)
  await store.reopen()
  free()
  expect(await cut).toBe('cut')
  expect(await store.text('b', 'k')).toBe(content.toString())
  store.engine.setTierAccess(tier)
  await expect.poll(() => tier.objects.size).toBe(0)
})

test('an object that is written, locked by no rule any more, or deleted meanwhile is not moved', async () => {
  const { store, tier } = await startWithObject()
  await using _ = store
  tier.afterPut = async () => void (await store.put('b', 'k', 'newer'))
  expect(await store.engine.transitionVersion(object)).toBe(0)
  expect(await store.text('b', 'k')).toBe('newer')
  tier.afterPut = () => setSettingDocument(store.engine, 'b', 'lifecycle', undefined)
  expect(await store.engine.transitionVersion(object)).toBe(0)
  await setSettingDocument(store.engine, 'b', 'lifecycle', RULE)
  tier.afterPut = async () => void (await store.engine.deleteObject('b', 'k'))
  expect(await store.engine.transitionVersion(object)).toBe(0)
  expect(await store.engine.transitionVersion(object)).toBe(0)
  await expect.poll(() => tier.objects.size).toBe(0)
})

test('a moved object survives a restart, and is removed from the tier once it is gone', async () => {
  const { store, tier } = await startWithObject()
  await using _ = store
  expect(await store.engine.transitionVersion(object)).toBe(content.length)
  expect(await store.engine.transitionVersion(object)).toBe(0)
  await store.reopen()
  await expect(store.text('b', 'k')).rejects.toMatchObject({ code: 'ServiceUnavailable' })
  store.engine.setTierAccess(tier)
  expect(await store.text('b', 'k')).toBe(content.toString())
  expect(store.engine.usageByTier().get('COLD')).toEqual({ size: content.length, versions: 1 })
  const copy = store.engine.getObject('b', 'k')
  await store.engine.copyObject(copy, 'b', 'copy', {})
  await store.engine.setObjectTags(object, { a: 'b' })
  await store.engine.deleteObject('b', 'k')
  await expect.poll(() => tier.objects.size).toBe(0)
  expect(await store.text('b', 'copy')).toBe(content.toString())
  expect(store.engine.isTierUsed('COLD')).toBe(false)
})

test('an index that is rebuilt from an older copy has the later moves, and removes nothing else from the tier', async () => {
  const { store, tier } = await startWithObject()
  await using _ = store
  await store.put('b', 'early', content)
  expect(await store.engine.transitionVersion({ ...object, key: 'early' })).toBe(content.length)
  await store.close()
  const [first = '', second = ''] = store.options.drives
  const older = join(store.root, 'older')
  await cp(join(first, 'index'), older, { recursive: true })
  await store.open()
  store.engine.setTierAccess(tier)
  expect(await store.engine.transitionVersion(object)).toBe(content.length)
  await store.engine.deleteObject('b', 'early')
  await store.put('b', 'early', 'written again')
  await expect.poll(() => tier.objects.size).toBe(1)
  await store.reopen()
  await store.close()
  for (const drive of [first, second]) await rm(join(drive, 'index'), { recursive: true })
  await cp(older, join(first, 'index'), { recursive: true })
  await store.open()
  store.engine.setTierAccess(tier)
  expect(await store.text('b', 'k')).toBe(content.toString())
  expect(await store.text('b', 'early')).toBe('written again')
  expect(store.engine.usageByTier().get('COLD')).toEqual({ size: content.length, versions: 1 })
  await store.engine.deleteObject('b', 'k')
  await expect.poll(() => tier.objects.size).toBe(0)
})

test('a bucket that is made again neither gets nor loses objects on the tier', async () => {
  const { store, tier } = await startWithObject()
  await using _ = store
  const remake = async () => {
    await store.engine.deleteBucket('b', { force: true })
    await store.engine.createBucket('b')
    await setSettingDocument(store.engine, 'b', 'lifecycle', RULE)
  }
  expect(await store.engine.transitionVersion(object)).toBe(content.length)
  const before = [...tier.objects.keys()]
  await remake()
  const other = Buffer.alloc(50_000, 'other ')
  await store.put('b', 'k', other)
  expect(await store.text('b', 'k')).toBe(other.toString())
  expect(await store.engine.transitionVersion(object)).toBe(other.length)
  await expect.poll(() => tier.objects.size).toBe(1)
  expect([...tier.objects.keys()]).not.toEqual(before)
  expect(await store.text('b', 'k')).toBe(other.toString())
  // Made again while an object of it is being moved.
  await store.put('b', 'k', content)
  tier.afterPut = async () => {
    await remake()
    await store.put('b', 'k', other)
  }
  expect(await store.engine.transitionVersion(object)).toBe(0)
  await expect.poll(() => tier.objects.size).toBe(0)
  expect(await store.text('b', 'k')).toBe(other.toString())
})
