import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setSettingDocument } from '../bucket-settings/testing.ts'
import { TestEngine } from './testing/test-engine.ts'

/** A version in the model, which keeps the versions of a key newest first. */
interface Version {
  id: string
  content: string | undefined
}

const key = fc.constantFrom('a', 'a/b', 'a/c', 'b', 'b/\uff5e', 'b/😀')
const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), key, size: fc.constantFrom(0, 3, 17_000) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete-version' as const), key, pick: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('versioning' as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('copy' as const), key, to: key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

test('any history of writes and deletes leaves what a simple model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 40 }), async (commands) => {
      await using store = await TestEngine.start(2)
      await store.engine.createBucket('b')
      const model = new Map<string, Version[]>()
      let versioning: 'Enabled' | 'Suspended' | undefined
      const add = (name: string, id: string, content: string | undefined) => {
        const others = (model.get(name) ?? []).filter((version) => version.id !== id)
        model.set(name, [{ id, content }, ...others])
      }
      for (const [i, step] of commands.entries()) {
        if (step.do === 'put') {
          const content = `${i}`.padEnd(step.size, '.').slice(0, step.size)
          add(step.key, (await store.put('b', step.key, content)).versionId, content)
        } else if (step.do === 'delete') {
          const { versionId, deleteMarker } = await store.engine.deleteObject('b', step.key)
          if (deleteMarker) add(step.key, versionId ?? '', undefined)
          else model.delete(step.key)
        } else if (step.do === 'delete-version') {
          const versions = model.get(step.key) ?? []
          const version = versions[step.pick]
          if (!version) continue
          const result = await store.engine.deleteObject('b', step.key, { versionId: version.id })
          expect(result.deleteMarker).toBe(version.content === undefined)
          versions.splice(step.pick, 1)
        } else if (step.do === 'versioning') {
          versioning = step.on ? 'Enabled' : 'Suspended'
          await setSettingDocument(store.engine, 'b', 'versioning', versioning)
        } else if (step.do === 'copy') {
          const [source] = model.get(step.key) ?? []
          if (source?.content === undefined) continue
          const handle = store.engine.getObject('b', step.key)
          add(step.to, (await store.engine.copyObject(handle, 'b', step.to, {})).versionId, source.content)
        } else await store.reopen()
      }
      await expectModel(store, model)
      await store.reopen()
      await expectModel(store, model)
    }),
    { numRuns: 40 },
  )
}, 60_000)

async function expectModel(store: TestEngine, model: Map<string, Version[]>): Promise<void> {
  const keys = [...model]
    .filter(([, versions]) => versions.length > 0)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const { entries } = store.engine.listVersions('b', { prefix: '', delimiter: '', after: '', limit: 1000 })
  const found = entries.map((entry) => ('object' in entry ? [entry.object.key, entry.object.versionId] : []))
  expect(found).toEqual(keys.flatMap(([name, versions]) => versions.map(({ id }) => [name, id])))
  const live = keys.filter(([, versions]) => versions[0]?.content !== undefined)
  expect(store.list('b')).toEqual(live.map(([name]) => name))
  for (const [name, versions] of keys) {
    for (const { id, content } of versions)
      if (content !== undefined) expect(await store.text('b', name, id)).toBe(content)
  }
  const contents = keys.flatMap(([, versions]) => versions.map(({ content }) => content))
  const sizes = contents.flatMap((content) => (content === undefined ? [] : [content.length]))
  expect(store.engine.bucketUsage('b')).toMatchObject({
    objects: live.length,
    versions: sizes.length,
    deleteMarkers: contents.length - sizes.length,
    size: sizes.reduce((sum, size) => sum + size, 0),
  })
  const { sizeHistogram, versionsHistogram } = store.engine.bucketUsage('b')
  for (const histogram of [sizeHistogram, versionsHistogram]) {
    expect(Object.values(histogram).reduce((sum, count) => sum + count, 0)).toBe(live.length)
  }
}
