import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { missingMembers, type RecordedCall } from '../../support/data/recorded-calls.ts'

/** Errors that the original answered with 500 or 401, and their statuses here. */
const STATUS: Readonly<Record<string, number>> = {
  'policy.add.bad': 400,
  'policy.add.notjson': 400,
  'policy.get.missing': 404,
  'user.add.short': 400,
  'user.get.missing': 404,
  'sa.delete.missing': 404,
  'chpw.self.bad': 403,
  'user.delete.flow-u2': 404,
}

const rows = JSON.parse(readFileSync(new URL('recorded/answers.json', import.meta.url), 'utf8')) as RecordedCall[]

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('the recorded calls about policies, users, groups, service accounts and passwords have answers of the same shape', async () => {
  // Unique names for this run, because other tests use the same store.
  const [flow, keys] = [c.freshName('flow'), c.freshName('K').replace('-', '').toUpperCase().slice(0, 10)]
  const ownNames = (text: string) => text.replaceAll('flow-', `${flow}-`).replaceAll('FLOWACCESSKEY', keys)
  await c.call('createBucket', { body: { name: ownNames('flow-a') } })
  const accounts: string[] = []
  let session = c.root.session
  for (const row of rows) {
    // The generated key in the recording is replaced by that of our first account.
    const path = ownNames(row.p).replace('5DZUGNE55SHEHZEK1MYE', accounts[0] ?? '')
    const body = row.body === null ? undefined : ownNames(JSON.stringify(row.body))
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${session}` }
    const response = await fetch(c.url + path, {
      method: row.m,
      headers: body ? headers : { authorization: headers.authorization },
      ...(body ? { body } : {}),
    })
    const text = await response.text()
    expect([row.id, response.status], text).toEqual([row.id, STATUS[row.id] ?? row.status])
    const answer: unknown = text === '' ? null : JSON.parse(text)
    expect(missingMembers(row.json, answer), `${row.id}: ${text}`).toEqual([])
    if (row.id === 'sa.add') accounts.push((answer as { accessKey: string }).accessKey)
    if (row.id === 'login.user' || row.id === 'chpw.self') session = (answer as { sessionId: string }).sessionId
    if (row.id === 'session.after-logout') session = c.root.session
  }
})
