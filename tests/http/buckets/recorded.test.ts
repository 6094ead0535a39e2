import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { missing, type RecordedCall } from '../../support/recorded.ts'
import { sharedConsole } from '../../support/shared.ts'
import type { TestTarget } from '../../support/target.ts'

/** Failures that the original answered with 500 or 422, and the statuses that they have here. */
const STATUS: Readonly<Record<string, number>> = {
  'bucket.create.dup': 409,
  'bucket.create.bad': 400,
  'bucket.create.noname': 400,
  'bucket.info.missing': 404,
  'bucket.policy.bad': 400,
}

const rows = JSON.parse(readFileSync(new URL('recorded/answers.json', import.meta.url), 'utf8')) as RecordedCall[]

// Enabling encryption is left out: the server of the recording had no keys.
let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('the recorded calls about buckets have answers of the same shape', async () => {
  const flow = c.freshName('flow')
  const ownNames = (text: string) => text.replaceAll('flow-', `${flow}-`)
  for (const row of rows) {
    const body = row.body === null ? undefined : ownNames(JSON.stringify(row.body))
    const authorization = `Bearer ${c.root.session}`
    const response = await fetch(c.url + ownNames(row.p), {
      method: row.m,
      headers: body ? { 'content-type': 'application/json', authorization } : { authorization },
      ...(body ? { body } : {}),
    })
    const text = await response.text()
    expect([row.id, response.status], text).toEqual([row.id, STATUS[row.id] ?? row.status])
    const answer: unknown = text === '' ? null : JSON.parse(text)
    expect(missing(row.json, answer), `${row.id}: ${text}`).toEqual([])
  }
})
