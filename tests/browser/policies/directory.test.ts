import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Broker,
  isBrokerInstalled,
  startBroker,
} from '../../../packages/object-store/src/events/targets/testing/brokers.ts'
import { BOB_DN, EDITORS_DN, ldapEnvironment } from '../../../packages/object-store/src/iam/ldap/testing/entries.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

const browser = useBrowser()
/** Another server would have to know this directory. */
const canRun = isBrokerInstalled('slapd') && process.env.STOWAGE_TEST_SERVER === undefined

let directory: Broker
let c: TestConsole
beforeAll(async () => {
  if (!canRun) return
  directory = await startBroker('slapd')
  c = await startConsole({
    env: { ...ldapEnvironment(directory.port), STOWAGE_EGRESS_ALLOW: `127.0.0.1:${directory.port}` },
  })
})
afterAll(async () => {
  await c?.[Symbol.asyncDispose]()
  await directory?.[Symbol.asyncDispose]()
})

describe.skipIf(!canRun)('the directory', () => {
  test('policies are attached to a user by the name to sign in with, and taken away again', async () => {
    const page = await browser.open('/policies', { console: c })
    await page.getByRole('link', { name: 'Directory (LDAP)' }).click()
    await page.getByText('No user or group of the directory has a policy yet.').waitFor()
    await page.getByRole('button', { name: 'Attach Policies' }).click()
    const attach = page.getByRole('dialog', { name: 'Attach Policies' })
    await attach.getByLabel('Name').fill('nobody')
    await attach.getByRole('checkbox', { name: 'readonly' }).check()
    await attach.getByRole('button', { name: 'Save' }).click()
    await attach.getByText('The directory has no user of this name.').waitFor()
    await attach.getByLabel('Name').fill('bob')
    await attach.getByRole('button', { name: 'Save' }).click()
    await tableRow(page, BOB_DN).getByText('readonly').waitFor()
    await tableRow(page, BOB_DN).hover()
    await tableRow(page, BOB_DN).getByRole('button', { name: 'Set Policies' }).click()
    const change = page.getByRole('dialog', { name: 'Set Policies' })
    await change.getByRole('checkbox', { name: 'readonly' }).uncheck()
    await change.getByRole('button', { name: 'Save' }).click()
    await tableRow(page, BOB_DN).waitFor({ state: 'detached' })
    expect((await c.madmin.listPolicyEntities({ provider: 'ldap' })).policies).toEqual([])
  })

  test('a group is named by its distinguished name', async () => {
    const page = await browser.open('/directory', { console: c })
    await page.getByRole('button', { name: 'Attach Policies' }).click()
    const attach = page.getByRole('dialog', { name: 'Attach Policies' })
    await attach.getByText('Group', { exact: true }).click()
    await attach.getByLabel('Name').fill(EDITORS_DN)
    await attach.getByRole('checkbox', { name: 'readwrite' }).check()
    await attach.getByRole('button', { name: 'Save' }).click()
    await tableRow(page, EDITORS_DN).getByText('Group', { exact: true }).waitFor()
  })
})
