import { expect, test } from 'vitest'
import { type AuditRecord, readAuditRecord } from '../records/audit-record.ts'
import { summarizeAudit } from './audit-summary.ts'

const record = (at: number, more: object = {}) =>
  readAuditRecord({ time: new Date(at).toISOString(), api: { name: 'GetObject' }, ...more }, 'n', at) as AuditRecord
const over = (records: AuditRecord[]) => ({
  async *batches() {
    yield records
  },
})
const ALL = { filters: [], tools: true, from: 0, to: Number.POSITIVE_INFINITY }

test('intervals grow with the covered time, so that there are never too many', async () => {
  const hour = 3_600_000
  const records = Array.from({ length: 365 }, (_, n) => record(24 * n * hour))
  const { step, counts, total } = await summarizeAudit(over(records.reverse()), ALL)
  expect(total).toBe(365)
  expect(step).toBe(7 * 86_400)
  expect(counts.length).toBeLessThanOrEqual(120)
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(total)
})

test('an endless number of invented values does not fill the memory', async () => {
  const one = record(1)
  const records = Array.from({ length: 10_500 }, (_, n) => ({ ...one, user: `user-${n}` }))
  const late = Array.from({ length: 3 }, () => ({ ...one, user: 'user-10400' }))
  const { users, total } = await summarizeAudit(over([...records, ...late, { ...one, user: 'user-0' }]), ALL)
  expect(total).toBe(10_504)
  expect(users[0]).toEqual({ value: 'user-0', count: 2 })
})

test('nothing found is an empty summary', async () => {
  expect(await summarizeAudit(over([]), ALL)).toMatchObject({ total: 0, counts: [], users: [], searchedTo: undefined })
})
