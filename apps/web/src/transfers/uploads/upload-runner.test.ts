import { MiB } from '@stowage/contract'
import { expect, test, vi } from 'vitest'
import { createApiClient } from '../../lib/api/client.ts'
import { eventually } from '../../testing/eventually.ts'
import { ListStore } from '../list/list-store.ts'
import { requestLimit } from '../list/request-limit.ts'
import type { FileUpload, Transfer } from '../list/types.ts'
import type { ResumeRecord, ResumeRecords } from './resume-records.ts'
import type { RetryDelay } from './retry.ts'
import { startUploadServer } from './testing/upload-server.ts'
import { createUploadApi } from './upload-api.ts'
import { UploadRunner } from './upload-runner.ts'
import type { UploadBatch } from './upload-task.ts'

const PART = 16 * MiB

function memoryRecords(): ResumeRecords {
  const records = new Map<string, ResumeRecord>()
  return {
    put: async (record) => void records.set(record.id, record),
    delete: async (id) => void records.delete(id),
    listByOwner: async (owner) => [...records.values()].filter((record) => record.owner === owner),
  }
}

type Server = Awaited<ReturnType<typeof startUploadServer>>

function tab(server: Server, records = memoryRecords(), wait: RetryDelay = async () => {}) {
  const store = new ListStore<Transfer>()
  const batches: UploadBatch[] = []
  const stored: string[] = []
  const onSignedOut = vi.fn()
  const uploads = new UploadRunner({
    store,
    api: createUploadApi(createApiClient(server.send)),
    limit: requestLimit(4),
    records,
    tabs: { heldByOtherTabs: async () => new Set() },
    now: Date.now,
    wait,
    onStored: (bucket, key) => stored.push(`${bucket}/${key}`),
    onBatch: (batch) => batches.push({ ...batch }),
    onSignedOut,
  })
  uploads.setOwner('amal')
  const shown = () => [...store.values()].filter((transfer): transfer is FileUpload => transfer.kind === 'upload')
  const states = () => shown().map((upload) => upload.state)
  const ids = () => shown().map((upload) => upload.id)
  const until = (state: string) => eventually(() => expect(new Set(states())).toEqual(new Set([state])))
  return { uploads, store, batches, stored, onSignedOut, records, shown, states, ids, until }
}

const small = (name: string, text = name) => new File([text], name, { type: 'text/plain', lastModified: 1 })
function large(name: string, size: number, lastModified = 1) {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += PART) bytes[at] = at / PART + 1
  return new File([bytes], name, { lastModified })
}
const sentParts = (server: Server) => server.log.filter((line) => line.startsWith('PUT uploads')).toSorted()

test('a small file is uploaded as a form and reported once [OBJ-29]', async () => {
  await using server = await startUploadServer()
  const { uploads, until, batches, stored } = tab(server)
  uploads.add('media', [{ file: small('a.txt'), key: 'dir/a.txt' }])
  await until('done')
  expect(server.objects.get('media/dir/a.txt')?.bytes.toString()).toBe('a.txt')
  expect(server.log).toContain('POST upload')
  expect(stored).toEqual(['media/dir/a.txt'])
  expect(batches).toEqual([{ open: 0, stored: 1, failed: 0 }])
})

test.each(['a"b.txt', 'a\\b.txt', 'a\nb.txt', '%22.txt', 'ä 🚢+&.txt', '\u202egpj.exe'])(
  'the name %j is stored unchanged',
  async (name) => {
    await using server = await startUploadServer()
    const { uploads, until } = tab(server)
    uploads.add('media', [{ file: small(name), key: `dir/${name}` }])
    await until('done')
    expect([...server.objects.keys()]).toEqual([`media/dir/${name}`])
  },
)

test('a large file is uploaded in parts, in the right order', async () => {
  await using server = await startUploadServer()
  const { uploads, until } = tab(server)
  const file = large('film.mov', 2 * PART + 5)
  uploads.add('media', [{ file, key: 'film.mov' }])
  await until('done')
  expect(sentParts(server)).toEqual(['PUT uploads 1', 'PUT uploads 2', 'PUT uploads 3'])
  const { bytes, etag } = server.objects.get('media/film.mov') ?? {}
  expect(bytes?.equals(Buffer.from(await file.arrayBuffer()))).toBe(true)
  expect(etag).toBe('x-3')
})

test('many files and a large one use at most four connections', async () => {
  await using server = await startUploadServer()
  const { uploads, until, batches } = tab(server)
  const picked = Array.from({ length: 150 }, (_, n) => ({ file: small(`${n}`), key: `all/${n}` }))
  uploads.add('media', [...picked, { file: large('film.mov', 4 * PART), key: 'film.mov' }])
  await until('done')
  expect(server.objects.size).toBe(151)
  expect(server.state.most).toBeLessThanOrEqual(4)
  expect(batches).toEqual([{ open: 0, stored: 151, failed: 0 }])
})

test('a part that fails temporarily is sent again', async () => {
  await using server = await startUploadServer()
  const { uploads, until } = tab(server)
  let failures = 2
  server.state.fault = ({ part }) => (part === 2 && failures-- > 0 ? 503 : undefined)
  uploads.add('media', [{ file: large('film.mov', 2 * PART), key: 'film.mov' }])
  await until('done')
  expect(sentParts(server)).toEqual(['PUT uploads 1', 'PUT uploads 2', 'PUT uploads 2', 'PUT uploads 2'])
})

test('after a failure the completed parts are kept, and Retry sends the rest', async () => {
  await using server = await startUploadServer()
  const { uploads, until, shown, ids, batches } = tab(server)
  server.state.fault = ({ part }) => (part === 3 ? 403 : undefined)
  uploads.add('media', [{ file: large('film.mov', 2 * PART + 5), key: 'film.mov' }])
  await eventually(() => expect(server.uploads.get('upload 1')?.parts.size).toBe(2))
  await until('failed')
  expect(shown()[0]).toMatchObject({ error: { status: 403, errorMessage: 'Provoked' } })
  expect(batches).toEqual([{ open: 0, stored: 0, failed: 1 }])

  server.state.fault = () => undefined
  server.log.length = 0
  uploads.retry(ids())
  await until('done')
  expect(sentParts(server)).toEqual(['PUT uploads 3'])
  expect(batches[1]).toEqual({ open: 0, stored: 1, failed: 0 })
})

test('a paused upload sends nothing, and continues with the missing parts', async () => {
  await using server = await startUploadServer()
  const { uploads, until, shown, ids } = tab(server)
  server.state.fault = ({ part }) => (part === 2 ? 'hang' : undefined)
  uploads.add('media', [{ file: large('film.mov', 3 * PART), key: 'film.mov' }])
  await eventually(() => expect(shown()[0]?.kept).toBe(2 * PART))
  uploads.pause(ids())
  await until('paused')
  expect(shown()[0]?.sent).toBe(2 * PART)
  await eventually(() => expect(server.state.now).toBe(0))

  server.state.fault = () => undefined
  server.log.length = 0
  uploads.resume(ids())
  await until('done')
  expect(sentParts(server)).toEqual(['PUT uploads 2'])
})

test('cancelling deletes the parts on the server and the record', async () => {
  await using server = await startUploadServer()
  const { uploads, ids, shown, records, batches } = tab(server)
  server.state.fault = ({ part }) => (part === 2 ? 'hang' : undefined)
  uploads.add('media', [{ file: large('film.mov', 2 * PART), key: 'film.mov' }])
  await eventually(() => expect(shown()[0]?.kept).toBe(PART))
  uploads.cancel(ids())
  expect(ids()).toEqual([])
  await eventually(() => expect(server.uploads.size).toBe(0))
  expect(await records.listByOwner('amal')).toEqual([])
  expect(batches).toEqual([{ open: 0, stored: 0, failed: 0 }])
})

test('when the session ends, uploads are held, and continue for the same user only', async () => {
  await using server = await startUploadServer()
  const { uploads, until, onSignedOut, batches } = tab(server)
  server.state.fault = ({ part }) => (part === 2 ? 401 : undefined)
  uploads.add('media', [{ file: large('film.mov', 2 * PART), key: 'film.mov' }])
  await until('held')
  expect(onSignedOut).toHaveBeenCalled()
  expect(batches).toEqual([])

  server.state.fault = () => undefined
  uploads.setOwner(undefined)
  uploads.setOwner('somebody else')
  await until('held')
  server.log.length = 0
  uploads.setOwner('amal')
  await until('done')
  expect(sentParts(server)).toEqual(['PUT uploads 2'])
})

test('after a reload an upload continues with the same file, and with no other', async () => {
  await using server = await startUploadServer()
  const records = memoryRecords()
  const before = tab(server, records)
  server.state.fault = ({ part }) => (part === 2 ? 'hang' : undefined)
  before.uploads.add('media', [{ file: large('film.mov', 3 * PART), key: 'dir/film.mov' }])
  await eventually(() => expect(before.shown()[0]?.kept).toBe(2 * PART))

  const after = tab(server, records)
  await after.until('needs-file')
  expect(after.shown()[0]).toMatchObject({ bucket: 'media', key: 'dir/film.mov', size: 3 * PART, kept: 2 * PART })
  const wrong = [large('film.mov', PART), large('film.mov', 3 * PART, 2), large('other.mov', 3 * PART)]
  expect(after.uploads.attach(wrong).map(({ why }) => why)).toEqual(['size', 'date', 'name'])
  await after.until('needs-file')

  server.state.fault = () => undefined
  server.log.length = 0
  expect(after.uploads.attach([large('film.mov', 3 * PART)])).toEqual([])
  await after.until('done')
  expect(server.log).toContain('GET uploads')
  expect(sentParts(server)).toEqual(['PUT uploads 2'])
  expect(await records.listByOwner('amal')).toEqual([])
})

test('an upload of another user is not shown after a reload', async () => {
  await using server = await startUploadServer()
  const records = memoryRecords()
  const before = tab(server, records)
  server.state.fault = ({ part }) => (part === 2 ? 'hang' : undefined)
  before.uploads.add('media', [{ file: large('film.mov', 2 * PART), key: 'film.mov' }])
  await eventually(() => expect(before.shown()[0]?.kept).toBe(PART))
  const after = tab(server, records)
  await after.until('needs-file')
  const other = tab(server, {
    ...records,
    listByOwner: (owner) => records.listByOwner(owner === 'amal' ? 'ben' : owner),
  })
  expect(other.ids()).toEqual([])
})

test('a file whose key has an object waits for a decision: replace or keep it', async () => {
  await using server = await startUploadServer()
  const { uploads, shown, states, until, ids } = tab(server)
  server.objects.set('media/a', { bytes: Buffer.from('old a'), etag: 'x' })
  server.objects.set('media/b', { bytes: Buffer.from('old b'), etag: 'x' })
  uploads.add(
    'media',
    ['a', 'b', 'c'].map((name) => ({ file: small(name, `new ${name}`), key: name })),
  )
  await eventually(() => expect(states()).toEqual(['asking', 'asking', 'done']))
  const [a = '', b = ''] = ids()
  uploads.answer([a], 'replace')
  uploads.answer([b], 'keep')
  await until('done')
  expect(shown().map(({ key }) => key)).toEqual(['a', 'c'])
  const text = (key: string) => server.objects.get(`media/${key}`)?.bytes.toString()
  expect([text('a'), text('b'), text('c')]).toEqual(['new a', 'old b', 'new c'])
})

test('a user who may not list uploads without a question', async () => {
  await using server = await startUploadServer()
  const { uploads, until } = tab(server)
  server.state.fault = ({ method }) => (method === 'GET' ? 403 : undefined)
  uploads.add('media', [{ file: small('a'), key: 'a' }])
  await until('done')
})

test('an upload that the server no longer has is restarted', async () => {
  await using server = await startUploadServer()
  const { uploads, until, shown, ids } = tab(server)
  server.state.fault = ({ part }) => (part === 2 ? 'hang' : undefined)
  uploads.add('media', [{ file: large('film.mov', 2 * PART), key: 'film.mov' }])
  await eventually(() => expect(shown()[0]?.kept).toBe(PART))
  uploads.pause(ids())
  server.uploads.clear()
  server.state.fault = () => undefined
  uploads.resume(ids())
  await until('done')
  expect(server.objects.get('media/film.mov')?.bytes.length).toBe(2 * PART)
})

test('if the last response is lost, the created object counts', async () => {
  await using server = await startUploadServer()
  const { uploads, until } = tab(server)
  server.state.fault = ({ method, path }) => (method === 'POST' && path.includes('/uploads/') ? 'lost' : undefined)
  uploads.add('media', [{ file: large('film.mov', 2 * PART), key: 'film.mov' }])
  await until('done')
  expect(sentParts(server)).toHaveLength(2)
})

test('the same file chosen again for the same key is not a second upload', async () => {
  await using server = await startUploadServer()
  const { uploads, until, ids, shown } = tab(server)
  server.state.fault = ({ part }) => (part === 2 ? 'hang' : undefined)
  const file = large('film.mov', 2 * PART)
  uploads.add('media', [{ file, key: 'film.mov' }])
  await eventually(() => expect(shown()[0]?.kept).toBe(PART))
  uploads.pause(ids())
  server.state.fault = () => undefined
  uploads.add('media', [{ file, key: 'film.mov' }])
  await until('done')
  expect(ids()).toHaveLength(1)
  expect(sentParts(server).filter((line) => line === 'PUT uploads 1')).toHaveLength(1)
})

test('an upload that is cancelled during the check for its key is not sent', async () => {
  await using server = await startUploadServer()
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  const { uploads, until, ids, store } = tab(server, memoryRecords(), () => held)
  let failures = 1
  server.state.fault = () => (failures-- > 0 ? 503 : undefined)
  uploads.add('media', [{ file: small('a.txt'), key: 'a.txt' }])
  await eventually(() => expect(server.log).toEqual(['GET list']))
  uploads.cancel(ids())
  uploads.add('media', [{ file: small('b.txt'), key: 'b.txt' }])
  goOn()
  await until('done')
  expect([...server.objects.keys()]).toEqual(['media/b.txt'])
  expect([...store.values()]).toHaveLength(1)
})

test.each([
  ['a form', () => small('a.txt', 'mine'), 4],
  ['parts', () => large('a.txt', 2 * PART + 5), 2 * PART + 5],
])(
  'an object that is created during an upload as %s is replaced only after the user said so',
  async (_, file, size) => {
    await using server = await startUploadServer()
    const { uploads, ids, until, shown, stored } = tab(server)
    server.state.fault = ({ method, path }) => {
      // Another client creates the object after the check.
      const isUpload = path.endsWith('/upload') || (method === 'POST' && path.endsWith('/uploads'))
      if (isUpload && server.objects.size === 0)
        server.objects.set('b/a.txt', { bytes: Buffer.from('theirs'), etag: 'x' })
      return undefined
    }
    uploads.add('b', [{ file: file(), key: 'a.txt' }])
    await until('asking')
    expect(shown()[0]?.there).toMatchObject({ size: 6 })
    expect(server.objects.get('b/a.txt')?.bytes.toString()).toBe('theirs')
    const sent = sentParts(server).length
    uploads.answer(ids(), 'replace')
    await until('done')
    expect(stored).toEqual(['b/a.txt'])
    expect(server.objects.get('b/a.txt')?.bytes.length).toBe(size)
    // Parts are not sent again.
    expect(sentParts(server).length).toBe(sent)
  },
)
