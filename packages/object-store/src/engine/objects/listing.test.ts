import { expect, test } from 'vitest'
import { TestEngine } from '../testing/test-engine.ts'

async function filled(...keys: string[]) {
  const store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await Promise.all(keys.map((key) => store.put('b', key)))
  return store
}

test('keys come in the order of their UTF-8 bytes', async () => {
  await using store = await filled('😀', '\uff5e', 'b', 'a', 'B', 'a/', 'a!')
  expect(store.list('b')).toEqual(['B', 'a', 'a!', 'a/', 'b', '\uff5e', '😀'])
})

test.each([
  ['flat', {}, ['a', 'a/1', 'a/2', 'a0', 'b/c/d', 'b/e', 'z']],
  ['a delimiter folds', { delimiter: '/' }, ['a', 'a/', 'a0', 'b/', 'z']],
  ['under a prefix', { prefix: 'b/', delimiter: '/' }, ['b/c/', 'b/e']],
  ['a prefix that is no folder', { prefix: 'a' }, ['a', 'a/1', 'a/2', 'a0']],
  ['a delimiter of several characters', { delimiter: '/c/' }, ['a', 'a/1', 'a/2', 'a0', 'b/c/', 'b/e', 'z']],
  ['behind a key', { after: 'a/1' }, ['a/2', 'a0', 'b/c/d', 'b/e', 'z']],
  ['behind a common prefix', { after: 'a/', delimiter: '/' }, ['a0', 'b/', 'z']],
  ['behind a key in a common prefix', { after: 'a/1', delimiter: '/' }, ['a/', 'a0', 'b/', 'z']],
  ['behind a key that is not there', { after: 'a/15' }, ['a/2', 'a0', 'b/c/d', 'b/e', 'z']],
  ['behind everything', { after: 'zz' }, []],
  ['behind what lies before the prefix', { prefix: 'b', after: 'a' }, ['b/c/d', 'b/e']],
  ['nothing asked for', { limit: 0 }, []],
])('%s', async (_, query, expected) => {
  await using store = await filled('a', 'a/1', 'a/2', 'a0', 'b/c/d', 'b/e', 'z')
  expect(store.list('b', query)).toEqual(expected)
})

test.each(['', '/'])('pages with the delimiter %j miss nothing and repeat nothing', async (delimiter) => {
  const keys = ['a', 'b/1', 'b/2', 'b0', 'c/', 'c/x/y', 'd']
  await using store = await filled(...keys)
  const whole = store.list('b', { delimiter })
  for (const limit of [1, 2, 3]) {
    const all: string[] = []
    for (let after = '', more = true; more; ) {
      const page = store.engine.listObjects('b', { prefix: '', delimiter, after, limit })
      all.push(...page.entries.map((entry) => ('prefix' in entry ? entry.prefix : entry.object.key)))
      more = page.truncated
      after = page.next?.key ?? ''
    }
    expect(all).toEqual(whole)
  }
})

test('a full last page is not called truncated', async () => {
  await using store = await filled('a', 'b')
  expect(store.engine.listObjects('b', { prefix: '', delimiter: '', after: '', limit: 2 }).truncated).toBe(false)
})

test('a bucket made anew is empty', async () => {
  await using store = await filled('a', 'b')
  await store.engine.deleteBucket('b', { force: true })
  await store.engine.createBucket('b')
  expect(store.list('b')).toEqual([])
  expect(store.engine.bucketUsage('b').objects).toBe(0)
})

test('a listing shows tags, headers and sizes without the bytes', async () => {
  await using store = await filled()
  await store.put('b', 'k', 'xyz', { tags: { a: '1' }, metadata: { m: 'v' } })
  const [entry] = store.engine.listObjects('b', { prefix: '', delimiter: '', after: '', limit: 1 }).entries
  expect(entry).toMatchObject({ object: { key: 'k', size: 3, tags: { a: '1' }, metadata: { m: 'v' } } })
})
