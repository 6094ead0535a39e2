import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Engine } from '../../packages/object-store/src/engine/interface/types.ts'
import { openEngine } from '../../packages/object-store/src/engine/open-engine.ts'
import { createStoreServer } from '../../packages/object-store/src/http/server.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { utf8 } from './fuzz-request.ts'
import { BUCKETS, longText, requestQuery } from './random-texts.ts'
import { Sender } from './sender.ts'
import { storeRequests } from './store-requests.ts'

const ROOT = { accessKey: 'rootuser', secretKey: 'rootpassword' }
const COLLECTIONS = ['users', 'groups', 'policies', 'user-policies', 'group-policies', 'sessions']
const POLICY =
  '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:*"],"Resource":["arn:aws:s3:::*"]}]}'

/** Requests with names about as long as the maximum length of an index key, or longer. */
const longNamed: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    longText,
    fc.constantFrom('policy', 'user', 'group', 'prefix', 'marker', 'uploads', 'upload', 'version', 'forced'),
  )
  .map(([name, what]) => {
    const request = (more: Partial<FuzzRequest>): FuzzRequest => ({
      api: 's3',
      method: 'GET',
      path: `/${BUCKETS[0]}`,
      query: '',
      headers: {},
      body: { kind: 'none' },
      as: 'root',
      signed: 'header',
      ...more,
    })
    const admin = (path: string, query: [string, string][], body: FuzzRequest['body']) =>
      request({ api: 'admin', method: 'PUT', path: `/minio/admin/v3/${path}`, query: requestQuery(query), body })
    const listing = (...query: [string, string][]) => request({ query: requestQuery(query) })
    switch (what) {
      case 'policy':
        return admin('add-canned-policy', [['name', name]], utf8(POLICY))
      case 'user':
        return admin('add-user', [['accessKey', name]], { kind: 'sealed', text: '{"secretKey":"secret of a user"}' })
      case 'group':
        return admin('update-group-members', [], utf8(JSON.stringify({ group: name, members: [] })))
      case 'prefix':
        return listing(['list-type', '2'], ['prefix', name], ['delimiter', '/'])
      case 'marker':
        return listing(['versions', ''], ['key-marker', name], ['prefix', name])
      case 'uploads':
        return listing(['uploads', ''], ['key-marker', name], ['upload-id-marker', name])
      case 'upload':
        return request({ method: 'DELETE', path: `/${BUCKETS[0]}/a`, query: requestQuery([['uploadId', name]]) })
      case 'version':
        return request({ method: 'DELETE', path: `/${BUCKETS[0]}/a`, query: requestQuery([['versionId', name]]) })
      default:
        return request({
          method: 'DELETE',
          path: `/${BUCKETS[0]}/${encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_'))}`,
          headers: { 'x-minio-force-delete': 'true' },
        })
    }
  })

const requests = fc.array(fc.oneof({ weight: 3, arbitrary: storeRequests }, { weight: 1, arbitrary: longNamed }), {
  minLength: 20,
  maxLength: 60,
})

/** Returns everything that an engine reports about its content. */
function engineState(engine: Engine): unknown {
  const all = { prefix: '', delimiter: '', after: '', limit: 1000 }
  return {
    buckets: engine.listBuckets().map((bucket) => ({
      bucket,
      usage: engine.bucketUsage(bucket.name),
      versions: engine.listVersions(bucket.name, all),
      uploads: engine.listUploads(bucket.name, all),
      // A compiled policy contains functions, which are never equal.
      policy: engine.getBucketSetting(bucket.name, 'policy')?.value.document,
      tagging: engine.getBucketSetting(bucket.name, 'tagging'),
      quota: engine.getBucketSetting(bucket.name, 'quota'),
    })),
    documents: COLLECTIONS.map((name) => engine.listDocuments(`iam-${name}`)),
  }
}

test('after any sequence of requests the store can be opened again and has lost nothing', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (sequence) => {
      const folder = await mkdtemp(join(tmpdir(), 'stowage-reopen-'))
      const errors: string[] = []
      const log = {
        info: () => undefined,
        warn: () => undefined,
        error: (_: object, text: string) => errors.push(text),
      }
      const drives = [1, 2].map((n) => join(folder, `drive${n}`))
      const open = () => openEngine({ data: join(folder, 'data'), drives, minFree: 0, log })
      let engine = await open()
      try {
        for (const bucket of BUCKETS.slice(0, 2)) await engine.createBucket(bucket)
        const server = createStoreServer({
          engine,
          root: ROOT,
          region: undefined,
          domains: [],
          trustProxy: false,
          sandbox: true,
          log: pino({ level: 'silent' }),
          control: () => undefined,
        })
        const { port } = await server.listen(0, '127.0.0.1')
        const place = { host: '127.0.0.1', port }
        const sender = new Sender(
          {
            store: place,
            console: place,
            credentials: { root: ROOT, user: ROOT, session: ROOT },
            sessions: { root: '', user: '' },
          },
          () => Promise.resolve(''),
        )
        for (const request of sequence) await sender.send(request)
        sender.close()
        await server.close()
        const before = engineState(engine)
        await engine.close()
        engine = await open()
        expect(engineState(engine)).toEqual(before)
        await engine.createBucket('still-writable')
        expect(await engine.check()).toMatchObject({ damagedCopies: 0 })
        expect(engine.drives().map(({ keepsIndex }) => keepsIndex)).toEqual([true, true])
        expect(errors).toEqual([])
      } finally {
        await engine.close()
        await rm(folder, { recursive: true, force: true })
      }
    }),
    { numRuns: 12 },
  )
})
