import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { jobReport } from '../../support/data/job-reports.ts'
import { listKeys, newBucketWith, readObjectText } from '../../support/data/objects.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const nested = { 'a/a/report.txt': 'outer', 'a/a/a/report.txt': 'inner', 'a/a/m': 'm', 'a/b': 'b' }

async function contents(bucket: string): Promise<Record<string, string>> {
  const keys = await listKeys(c, bucket)
  return Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await readObjectText(c, bucket, key)])))
}

test.each([
  ['a folder out of itself', [{ from: 'a/a/', to: 'a/' }], 'a/a/report.txt'],
  ['a folder to the top', [{ from: 'a/', to: '' }], 'a/a/report.txt'],
  ['an entry beside a folder whose content takes its place', entriesToTop(), 'a/b'],
  ['objects that swap their names', [{ from: 'a/b', to: 'a/a/m' }, { from: 'a/a/m', to: 'a/b' }], 'a/a/m'], // biome-ignore format: one line a case
  ['an object into a folder that moves', [{ from: 'a/a/', to: 'x/' }, { from: 'a/b', to: 'a/a/b' }], 'a/a/b'], // biome-ignore format: one line a case
  ['a folder into another that moves', [{ from: 'a/a/a/', to: 'z/q/' }, { from: 'z/', to: 'y/' }], 'z/q/'], // biome-ignore format: one line a case
])('%s is refused where it would replace a source, and nothing changes', async (_, entries, path) => {
  const { 'a/a/a/report.txt': inner, ...others } = nested
  const bucket = await newBucketWith(c, {
    ...others,
    'a/a/b': 'inner b',
    ...(path !== 'a/b' && { 'a/a/a/report.txt': inner }),
  })
  const before = await contents(bucket)
  for (const move of [true, false]) {
    for (const dry_run of [true, false]) {
      const body = { target_bucket: bucket, entries, move, overwrite: true, dry_run }
      const failure = await callFailure(c.call('copyObjects', { params: { bucket }, body }))
      expect(failure).toMatchObject({
        status: 400,
        body: { field: 'entries', reason: { id: 'copy-onto-source', params: { path } } },
      })
    }
  }
  expect(await contents(bucket)).toEqual(before)
})

function entriesToTop() {
  return [
    { from: 'a/a/', to: 'a/' },
    { from: 'a/b', to: 'b' },
  ]
}

test('a folder moves out of a folder of the same name, if nothing is in its way', async () => {
  const bucket = await newBucketWith(c, { 'p/p/1': '1', 'p/p/x/2': '2', 'p/3': '3' })
  const entries = [{ from: 'p/p/', to: 'p/' }]
  const report = await jobReport(c.root, 'copyObjects', bucket, { target_bucket: bucket, entries, move: true })
  expect(report).toMatchObject({ count: 2, failed: 0 })
  expect(await contents(bucket)).toEqual({ 'p/1': '1', 'p/x/2': '2', 'p/3': '3' })
})

test('entries that share a target are refused if one could replace the other', async () => {
  const bucket = await newBucketWith(c, { 'a/f': '1', 'b/f': '2', k: '3' })
  const both = ['a/', 'b/'].map((from) => ({ from, to: 'x/' }))
  const onto = [
    { from: 'a/', to: 'x/' },
    { from: 'k', to: 'x/f' },
  ]
  for (const entries of [both, onto]) {
    const body = { target_bucket: bucket, entries, move: true, overwrite: true }
    const failure = await callFailure(c.call('copyObjects', { params: { bucket }, body }))
    expect(failure).toMatchObject({ status: 400, body: { reason: { id: 'copy-same-target' } } })
  }
  const report = await jobReport(c.root, 'copyObjects', bucket, { target_bucket: bucket, entries: both, move: true })
  expect(report).toMatchObject({ count: 1, skipped: 1 })
  // Either of the two may be first; the other stays where it is.
  expect(Object.values(await contents(bucket)).toSorted()).toEqual(['1', '2', '3'])
})

test('an object that appears in the way during the job is not replaced', async () => {
  const bucket = await newBucketWith(c, nested)
  // A continued job is not checked as a whole again.
  const cursor = Buffer.from(JSON.stringify([0, 'a/a/'])).toString('base64url')
  const body = { target_bucket: bucket, entries: [{ from: 'a/a/', to: 'a/' }], move: true, overwrite: true, cursor }
  const report = await jobReport(c.root, 'copyObjects', bucket, body)
  expect(report).toMatchObject({ count: 2, failed: 1, errors: [{ path: 'a/a/a/report.txt', code: 'TargetIsSource' }] })
  expect(await contents(bucket)).toEqual({
    'a/report.txt': 'outer',
    'a/a/a/report.txt': 'inner',
    'a/m': 'm',
    'a/b': 'b',
  })
})
