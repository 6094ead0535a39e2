import { expect } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { failCalls } from '../../support/browser/page-calls.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { allowS3Except } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

ownStore.test('events are subscribed to in a dialog, listed and deleted [EVT-01] [EVT-02] [EVT-07]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const [arn = ''] = (await target.call('listArns', {})).arns
  const page = await open(`/buckets/${bucket}/events`)
  await page.getByText('There are no Events yet.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Subscribe to Event' }).click()
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Bucket Events' })
  await expect.poll(() => dialog.getByLabel('ARN').evaluate((field) => field === document.activeElement)).toBe(true)
  const subscribe = async (prefix: string, suffix: string, ...kinds: string[]) => {
    await dialog.getByLabel('ARN').selectOption(arn)
    for (const kind of kinds) await dialog.getByLabel(kind).check()
    await dialog.getByLabel('Prefix').fill(prefix)
    await dialog.getByLabel('Suffix').fill(suffix)
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/events'))
    await dialog.getByRole('button', { name: 'Save' }).click()
    return (await sent).postDataJSON() as unknown
  }
  await dialog.getByLabel('ARN').waitFor()
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  const configuration = { arn, events: ['put', 'delete'], prefix: 'in/', suffix: '.jpg' }
  expect(await subscribe('in/', '.jpg', 'Put', 'Delete')).toEqual({ configuration, ignoreExisting: true })
  const headers = page.getByRole('columnheader')
  const row = page.getByRole('row', { name: arn })
  await row.getByRole('cell', { name: 'put, delete', exact: true }).waitFor()
  await row.getByRole('cell', { name: 'in/', exact: true }).waitFor()
  await row.getByRole('cell', { name: '.jpg', exact: true }).waitFor()
  expect((await headers.allTextContents()).filter((text) => text !== '')).toEqual([
    'SQS',
    'Events',
    'Prefix',
    'Suffix',
    'Actions',
  ])

  await page.getByRole('button', { name: 'Subscribe to Event' }).click()
  await subscribe('', '', 'Get')
  await row.getByRole('cell', { name: 'get', exact: true }).waitFor()

  await row.filter({ hasText: 'put' }).hover()
  await row
    .filter({ hasText: 'put' })
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Event' }).click()
  await row.filter({ hasText: 'put' }).waitFor({ state: 'hidden' })
  const { events } = await target.call('listBucketEvents', { params: { bucket } })
  expect(events.map((event) => event.events)).toEqual([['get']])
})

ownStore.test(
  'without the right to subscribe the button names it; a failed subscription keeps what was typed',
  async () => {
    const { target } = browser
    const bucket = await target.newBucket()
    const as = await target.newUser(allowS3Except(['s3:PutBucketNotification'], [bucket]))
    const denied = await open(`/buckets/${bucket}/events`, { as })
    const button = denied.getByRole('button', { name: 'Subscribe to Event' })
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await button.focus()
    await denied.getByRole('tooltip').getByText('s3:PutBucketNotification').waitFor()

    const page = await open(`/buckets/${bucket}/events`)
    await page.getByRole('button', { name: 'Subscribe to Event' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('ARN').selectOption({ index: 1 })
    await dialog.getByLabel('Prefix').fill('in/')
    await failCalls(page, { url: '**/events', method: 'POST' }, 'the server is busy')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('The server is busy').waitFor()
    expect(await dialog.getByLabel('Prefix').inputValue()).toBe('in/')
  },
)
