import { expect, test } from 'vitest'
import { findLifecycleAction, readLifecycle, type VersionFacts, writeLifecycle } from './index.ts'

const DAY = 24 * 60 * 60 * 1000
const noon = Date.parse('2030-03-01T12:00:00Z')

function version(over: Partial<VersionFacts> = {}): VersionFacts {
  return { versionId: 'v', marker: false, size: 10, lastModified: noon, tags: {}, ...over }
}
const rule = (content: string, filter = '<Filter/>', status = 'Enabled') =>
  readLifecycle(
    `<LifecycleConfiguration><Rule><ID>r</ID><Status>${status}</Status>${filter}${content}</Rule></LifecycleConfiguration>`,
  )
const days = (n: number) => `<Expiration><Days>${n}</Days></Expiration>`
const describeAction = (content: string, versions: VersionFacts[], index = 0, now = noon) => {
  const action = findLifecycleAction(rule(content), 'k', versions, index, now)
  return action && `${action.kind} ${new Date(action.due).toISOString()}`
}

test('days end at the next midnight, a date at its start', () => {
  expect(describeAction(days(1), [version()])).toBe('expire 2030-03-03T00:00:00.000Z')
  const late = version({ lastModified: Date.parse('2030-03-01T23:59:59.999Z') })
  expect(describeAction(days(1), [late])).toBe('expire 2030-03-03T00:00:00.000Z')
  const midnight = version({ lastModified: Date.parse('2030-03-01T00:00:00Z') })
  expect(describeAction(days(1), [midnight])).toBe('expire 2030-03-03T00:00:00.000Z')
  const date = '<Expiration><Date>2030-01-01T00:00:00Z</Date></Expiration>'
  expect(describeAction(date, [version()])).toBe('expire 2030-01-01T00:00:00.000Z')
})

test('the age of a noncurrent version counts from its successor, and the newest ones may be kept', () => {
  const versions = [0, 1, 2, 3].map((n) => version({ versionId: `v${n}`, lastModified: noon - n * DAY }))
  const after = (n: number, newer = '') =>
    `<NoncurrentVersionExpiration><NoncurrentDays>${n}</NoncurrentDays>${newer}</NoncurrentVersionExpiration>`
  expect(describeAction(after(5), versions, 0)).toBeUndefined()
  expect(describeAction(after(5), versions, 1)).toBe('remove 2030-03-07T00:00:00.000Z')
  expect(describeAction(after(5), versions, 2)).toBe('remove 2030-03-06T00:00:00.000Z')
  const newer = '<NewerNoncurrentVersions>2</NewerNoncurrentVersions>'
  expect([1, 2, 3].map((n) => describeAction(after(5, newer), versions, n) !== undefined)).toEqual([false, false, true])
  const only = `<NoncurrentVersionExpiration>${newer}</NoncurrentVersionExpiration>`
  expect(describeAction(only, versions, 3)).toBe('remove 2030-02-27T12:00:00.000Z')
})

test('a delete marker is deleted if it is the only version, or with all older versions', () => {
  const marker = version({ marker: true, size: 0 })
  const alone = '<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>'
  expect(describeAction(alone, [marker])).toBe('remove 2030-03-01T12:00:00.000Z')
  expect(describeAction(alone, [marker, version()])).toBeUndefined()
  expect(describeAction(days(1), [marker])).toBe('remove 2030-03-03T00:00:00.000Z')
  const all = '<DelMarkerExpiration><Days>2</Days></DelMarkerExpiration>'
  expect(describeAction(all, [marker, version()])).toBe('remove-all 2030-03-04T00:00:00.000Z')
  expect(describeAction(all, [version()])).toBeUndefined()
})

test.each([
  ['<Filter><Prefix>a/</Prefix></Filter>', 'a/x', {}, true],
  ['<Filter><Prefix>a/</Prefix></Filter>', 'b', {}, false],
  ['<Prefix>a/</Prefix>', 'a/x', {}, true],
  ['<Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter>', 'x', { tags: { k: 'v', other: '' } }, true],
  ['<Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter>', 'x', { tags: { k: 'w' } }, false],
  ['<Filter><Tag><Key>toString</Key><Value>v</Value></Tag></Filter>', 'x', {}, false],
  ['<Filter><ObjectSizeGreaterThan>10</ObjectSizeGreaterThan></Filter>', 'x', {}, false],
  ['<Filter><ObjectSizeGreaterThan>9</ObjectSizeGreaterThan></Filter>', 'x', {}, true],
  ['<Filter><ObjectSizeLessThan>10</ObjectSizeLessThan></Filter>', 'x', {}, false],
  ['<Filter><Stranger>1</Stranger></Filter>', 'x', {}, false],
  [
    '<Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter>',
    'b',
    { tags: { k: 'v' } },
    false,
  ],
])('%s applies to %s: %o', (filter, key, over, expected) => {
  const found = findLifecycleAction(rule(days(1), filter), key, [version(over)], 0, noon)
  expect(found !== undefined).toBe(expected)
  expect(findLifecycleAction(rule(days(1), filter, 'Disabled'), key, [version(over)], 0, noon)).toBeUndefined()
})

test('of due actions removal comes first, of future ones the earliest; a version in a tier is not moved again', () => {
  const both = `<Transition><Days>1</Days><StorageClass>COLD</StorageClass></Transition>${days(5)}`
  const at = (n: number) => describeAction(both, [version()], 0, noon + n * DAY)?.split(' ')[0]
  expect([at(0), at(2), at(7)]).toEqual(['transition', 'transition', 'expire'])
  expect(describeAction(both, [version({ tier: 'COLD' })])).toBe('expire 2030-03-07T00:00:00.000Z')
})

test('unknown elements are written back', () => {
  const text =
    '<Rule><ID>r</ID><Status>Enabled</Status><Filter><And><Prefix>a&lt;&amp;</Prefix><Owner>me</Owner></And></Filter>' +
    '<Expiration><Days>3</Days></Expiration><Surprise><Box>1</Box><Box>2</Box></Surprise></Rule>'
  const read = readLifecycle(`<LifecycleConfiguration>${text}</LifecycleConfiguration>`)
  expect(writeLifecycle(read)).toContain(text)
})
