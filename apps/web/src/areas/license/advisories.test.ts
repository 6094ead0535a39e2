import { expect, test } from 'vitest'
import { ADVISORIES, advisoriesFor } from './advisories.ts'

const ids = (version: string) => advisoriesFor(version)?.map(({ id }) => id)

test('lists advisories that affect a version and are fixed in a later release', () => {
  expect(ids('2025-10-15T17:29:55Z')).toEqual([])
  expect(ids('RELEASE.2025-09-07T16-13-09Z')).toEqual(['CVE-2025-62506'])
  expect(ids('2023-03-13T19:46:17Z')).toContain('CVE-2024-55949')
  // The IAM import API was added later.
  expect(ids('2021-11-09T03:21:45Z')).not.toContain('CVE-2024-55949')
  expect(ids('2021-11-09T03:21:45Z')).toContain('CVE-2021-43858')
})

test.each(['', '0.1.0', '1.0.0-alpha.90'])('%j is not a MinIO version', (version) =>
  expect(advisoriesFor(version)).toBeUndefined(),
)

test('the table is sorted, newest fix first', () => {
  const fixes = ADVISORIES.map(({ fixed }) => fixed)
  expect(fixes).toEqual([...fixes].sort().reverse())
})
