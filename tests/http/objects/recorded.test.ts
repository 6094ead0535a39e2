import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { missingMembers, type RecordedCall } from '../../support/data/recorded-calls.ts'

/** Failures that the original answered with 500 or hid behind a 200, and a range that it ignored. */
const STATUS: Readonly<Record<string, number>> = {
  'objects.missing': 404,
  'object.range': 206,
  'object.download.missing': 404,
  'object.share.long': 400,
  'object.legalhold.nolock': 400,
  'object.delete.locked': 400,
}

/** The files that were uploaded. */
const FILES: Readonly<Record<string, [name: string, content: string]>> = {
  'object.upload': ['hello.txt', 'hello1'],
  'object.upload2': ['hello.txt', 'hello2'],
  'object.upload.unicode': ['tëst ü+&.txt', 'abc'],
  'object.upload.lock': ['locked.txt', 'lock'],
}

interface RecordedObjectCall extends RecordedCall {
  /** Of a download. */
  text?: string
}
const rows = JSON.parse(readFileSync(new URL('recorded/answers.json', import.meta.url), 'utf8')) as RecordedObjectCall[]

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('the recorded calls about objects have answers of the same shape', async () => {
  const flow = c.freshName('flow')
  await c.call('createBucket', { body: { name: `${flow}-a`, versioning: true } })
  const retention = { mode: 'compliance', unit: 'days', validity: 1 } as const
  await c.call('createBucket', { body: { name: `${flow}-lock`, versioning: true, locking: true, retention } })
  const names = new Map([['flow-', `${flow}-`]])
  const ownNames = (text: string) => [...names].reduce((path, [from, to]) => path.replaceAll(from, to), text)
  for (const row of rows) {
    const response = await fetch(c.url + ownNames(row.p), { method: row.m, ...request(row) })
    const text = await response.text()
    expect([row.id, response.status], text).toEqual([row.id, STATUS[row.id] ?? row.status])
    if (row.text !== undefined) {
      if (response.ok) expect(text).toBe(row.id === 'object.range' ? row.text.slice(0, 2) : row.text)
      continue
    }
    const answer: unknown = text === '' ? null : JSON.parse(text)
    expect(missingMembers(row.json, answer), `${row.id}: ${text}`).toEqual([])
    const recorded = (row.json as { objects?: unknown[] } | null)?.objects ?? []
    const versions = (answer as { objects?: { version_id: string }[] } | null)?.objects ?? []
    expect([row.id, versions.length]).toEqual([row.id, recorded.length])
    if (row.id === 'objects.versions') {
      names.set('VERSION-NEW', versions[0]?.version_id ?? '').set('VERSION-OLD', versions[1]?.version_id ?? '')
    }
    if (row.id === 'objects.lock.versions') names.set('VERSION-LOCKED', versions[0]?.version_id ?? '')
  }
})

function request({ id, body }: RecordedCall): RequestInit {
  const authorization = `Bearer ${c.root.session}`
  const file = FILES[id]
  if (file) {
    const form = new FormData()
    // The name of the part is the name of the object.
    form.append(file[0], new Blob([file[1]]), file[0])
    return { headers: { authorization }, body: form }
  }
  if (body === null)
    return { headers: id === 'object.range' ? { authorization, range: 'bytes=0-1' } : { authorization } }
  return { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
