import { PutObjectCommand } from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { clickRowAction } from '../../support/browser/rows.ts'
import { newBucketWith, newLockBucket } from '../../support/data/objects.ts'

/* Every field for a date, in time zones on both sides of UTC: it shows what is stored, and does not send what is not changed. */

const browser = useBrowser()
const { open } = browser

/** Late in the day in UTC: already the next day in Tokyo. And early: still the day before in Los Angeles. */
const times = ['2031-05-05T18:20:30Z', '2031-05-05T03:20:30Z']

describe.each(['Asia/Tokyo', 'America/Los_Angeles', 'UTC'])('in %s', (timezone) => {
  test.each(times)(
    'a retention until %s is shown as its day in UTC, and saving it unchanged changes nothing',
    async (expires) => {
      const bucket = await newLockBucket(browser.target)
      if (!bucket) return
      await browser.target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a.txt', Body: 'x' }))
      const input = { params: { bucket }, query: { prefix: 'a.txt' } }
      await browser.target.call('setObjectRetention', { ...input, body: { mode: 'compliance', expires } })
      const until = async () => Date.parse((await browser.target.call('getObject', input)).retention_until_date ?? '')
      const page = await open(`/object-browser/${bucket}/a.txt`, { timezone })
      await page.getByRole('button', { name: 'Change retention' }).click()
      const dialog = page.getByRole('dialog', { name: /Object Retention/ })
      expect(await dialog.getByLabel('Date').inputValue()).toBe('2031-05-05')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await until()).toBe(Date.parse(expires))

      await page.getByRole('button', { name: 'Change retention' }).click()
      await dialog.getByLabel('Date').fill('2031-05-06')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect.poll(until).toBe(Date.parse('2031-05-06T23:59:59Z'))
    },
  )

  test('the expiry of a service account is local time, and stays to the second if only the name is changed', async () => {
    const at = new Date(Date.now() + 40 * 86_400_000)
    at.setMilliseconds(0)
    at.setSeconds(17)
    const { accessKey } = await browser.target.call('createServiceAccount', {
      body: { policy: '', name: 'before', expiration: at.toISOString() },
    })
    const page = await open('/account', { timezone })
    await page.getByPlaceholder('Search Service Accounts').fill(accessKey)
    await page.getByRole('row', { name: new RegExp(accessKey) }).hover()
    await page.getByRole('button', { name: `Edit ${accessKey}` }).click()
    const dialog = page.getByRole('dialog', { name: /Edit Service Account/ })
    const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
    expect(await dialog.getByLabel('Expires').inputValue()).toBe(shown.format(at).replace(' ', 'T'))
    await dialog.getByLabel('Name').fill('after')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const account = await browser.target.call('getServiceAccount', { params: { accessKey } })
    expect([account.name, Date.parse(account.expiration ?? '')]).toEqual(['after', at.getTime()])
  })

  test('rewind shows the time of the address, and keeps it if it is not changed', async () => {
    const bucket = await newBucketWith(browser.target, { 'a.txt': 'x' })
    await browser.target.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
    const at = '2026-10-25T01:30:07.250Z'
    const page = await open(`/object-browser/${bucket}?at=${at}`, { timezone })
    await page.getByRole('button', { name: 'Rewind', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Rewind - ${bucket}` })
    const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
    expect(await dialog.getByLabel('Rewind to').inputValue()).toBe(shown.format(new Date(at)).replace(' ', 'T'))
    await dialog.getByRole('button', { name: 'Show Rewind Data' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('at')).toBe(at)
  })

  test('the date of a lifecycle rule is the same day in every zone, and stays if another field is changed', async () => {
    const bucket = await browser.target.newBucket('dates')
    const params = { bucket }
    await browser.target.call('addLifecycleRule', {
      params,
      body: { prefix: 'a/', expiry_date: '2031-03-01T23:59:59Z' },
    })
    const rule = async () => (await browser.target.call('listLifecycleRules', { params })).lifecycle[0]
    const page = await open(`/buckets/${bucket}/lifecycle`, { timezone })
    await page.getByText('2031-03-01').first().waitFor()
    await clickRowAction(page, 'a/', 'Edit')
    const dialog = page.getByRole('dialog', { name: /Edit Lifecycle Rule/ })
    await dialog.getByLabel('Prefix').fill('b/')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await rule()).toMatchObject({ prefix: 'b/', expiration: { date: '2031-03-01T23:59:59Z' } })
  })
})
