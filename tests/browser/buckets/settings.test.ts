import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings } from '../../support/browser/axe.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { expectFocus } from '../../support/browser/focus.ts'
import { recordCalls } from '../../support/browser/page-calls.ts'
import { allowS3Except } from '../../support/data/policies.ts'

const browser = useBrowser()
const OPENERS: Readonly<Record<string, string>> = {
  'Excluded Prefixes': 'Exclude prefixes',
  'CORS Rules': 'Edit CORS',
  'Bucket Policy': 'Edit Bucket Policy',
}
const { open } = browser

const isInView = (box: Locator) =>
  box.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect()
    return node.parentElement === document.activeElement && top >= 0 && bottom <= innerHeight
  })

async function newLockBucket(retention?: {
  mode: 'governance' | 'compliance'
  unit: 'days' | 'years'
  validity: number
}) {
  const { target } = browser
  const name = target.freshName('lock')
  await target.call('createBucket', { body: { name, locking: true, ...(retention ? { retention } : {}) } })
  return name
}

test('the summary shows whether objects are locked and replicated; retention has a card only with locking [BKT-29] [BKT-44]', async () => {
  const [plain, locking] = [await browser.target.newBucket(), await newLockBucket()]
  const page = await open(`/buckets/${plain}/summary`)
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  await card('Object Locking').getByText('Disabled', { exact: true }).waitFor()
  await card('Replication').getByText('Disabled', { exact: true }).waitFor()
  expect(await card('Retention').count()).toBe(0)

  await page.goto(`buckets/${locking}/summary`)
  await card('Object Locking').getByText('Enabled', { exact: true }).waitFor()
  await card('Retention').getByText('Status: Disabled').waitFor()
})

test('the default retention is edited in its dialog, which needs a validity of at least 1 [BKT-44] [BKT-45]', async () => {
  const bucket = await newLockBucket({ mode: 'governance', unit: 'days', validity: 1 })
  const page = await open(`/buckets/${bucket}/summary`)
  const card = page.getByRole('region', { name: 'Retention' })
  await card.getByText('Status: Enabled').waitFor()
  await card.getByText('Mode: Governance').waitFor()
  await card.getByText('Validity: 1 day', { exact: true }).waitFor()
  await card.click({ position: { x: 60, y: 110 } })
  const dialog = page.getByRole('dialog', { name: 'Bucket Retention' })
  const [validity, save] = [dialog.getByLabel('Validity'), dialog.getByRole('button', { name: 'Save' })]
  for (const wrong of ['', '0', '-1', '1.5']) {
    await validity.fill(wrong)
    await expect.poll(() => save.isDisabled()).toBe(true)
  }
  await validity.fill('2')
  await dialog.getByText('Years', { exact: true }).click()
  await save.click()
  await card.getByText('Validity: 2 years', { exact: true }).waitFor()
  const stored = await browser.target.call('getBucketRetention', { params: { bucket } })
  expect(stored).toEqual({ mode: 'governance', unit: 'years', validity: 2 })

  await page.getByRole('button', { name: 'Edit Retention' }).click()
  await dialog.getByLabel('Enabled').click()
  expect(await validity.isDisabled()).toBe(true)
  await save.click()
  await card.getByText('Status: Disabled').waitFor()
  expect(await browser.target.call('getBucketRetention', { params: { bucket } })).toEqual({})
})

test('a refused validity stays in the dialog with the reason', async () => {
  const bucket = await newLockBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  await page.getByRole('button', { name: 'Edit Retention' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bucket Retention' })
  await dialog.getByLabel('Validity').fill('999999')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByLabel('Validity').inputValue()).toBe('999999')
})

test('a dialog whose bucket was deleted meanwhile says so, and keeps what was typed', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  await page.getByRole('button', { name: 'Edit Quota' }).click()
  const dialog = page.getByRole('dialog', { name: /Bucket Quota/ })
  await dialog.getByLabel('Enabled').click()
  await dialog.getByLabel('Size').fill('7')
  await target.call('deleteBucket', { params: { bucket }, body: { name: bucket } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').getByText('bucket does not exist').waitFor()
  expect(await dialog.getByLabel('Size').inputValue()).toBe('7')
})

test('encryption is switched on, given a key and switched off [BKT-31]', async (t) => {
  const { target } = browser
  if (!target.embedded) t.skip('the other server has no keys')
  const bucket = await target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  const card = page.getByRole('region', { name: 'Encryption' })
  await card.getByText('Disabled', { exact: true }).waitFor()
  const edit = async (choose: string) => {
    await card.getByRole('button', { name: 'Edit Encryption' }).click()
    const dialog = page.getByRole('dialog', { name: 'Bucket Encryption' })
    await expect.poll(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await dialog.getByText(choose, { exact: true }).click()
    return dialog
  }
  await (await edit('SSE-S3')).getByRole('button', { name: 'Save' }).click()
  await card.getByText('Enabled', { exact: true }).waitFor()
  await card.getByText(/SSE-S3/).waitFor()

  const dialog = await edit('SSE-KMS')
  await dialog.getByLabel('KMS Key ID').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('SSE-KMS with the default key').waitFor()
  expect(await target.call('getBucketEncryption', { params: { bucket } })).toMatchObject({ algorithm: 'aws:kms' })

  await (await edit('Disabled')).getByRole('button', { name: 'Save' }).click()
  await card.getByText('Disabled', { exact: true }).waitFor()
})

test('tags are added and removed; a duplicate key cannot be saved', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  const card = page.getByRole('region', { name: 'Tags' })
  await card.getByText('None').waitFor()
  await card.getByRole('button', { name: 'Edit Tags' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bucket Tags' })
  const key = (index: number) => dialog.getByLabel('Key', { exact: true }).nth(index)
  expect(await dialog.getByRole('button', { name: 'Add Tag' }).isDisabled()).toBe(true)
  await key(0).fill('team')
  await dialog.getByLabel('Value', { exact: true }).first().fill('design')
  await dialog.getByRole('button', { name: 'Add Tag' }).click()
  await key(1).fill('team')
  await expect.poll(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await key(1).fill('stage')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('team design').waitFor()
  expect(await target.call('getBucketTags', { params: { bucket } })).toEqual({ tags: { team: 'design', stage: '' } })

  await card.getByRole('button', { name: 'Edit Tags' }).click()
  await dialog.getByRole('button', { name: 'Remove Tag' }).first().click()
  await dialog.getByRole('button', { name: 'Remove Tag' }).first().click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('None').waitFor()
})

test('prefixes are excluded from versioning; the list of CORS rules is saved as a whole', async (t) => {
  const { target } = browser
  if (!target.embedded) t.skip('the other server has no CORS rules of buckets')
  const bucket = await target.newBucket()
  const params = { bucket }
  await target.call('setBucketVersioning', { params, body: { versioning: true } })
  const page = await open(`/buckets/${bucket}/summary`)
  const versioning = page.getByRole('region', { name: 'Versioning' })
  await versioning.getByRole('button', { name: 'Exclude prefixes' }).click()
  let dialog = page.getByRole('dialog', { name: 'Excluded Prefixes' })
  await dialog.getByLabel('Prefixes without versions').fill('tmp/\n\n cache/ \n')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await versioning.getByText('2 excluded prefixes').waitFor()
  const stored = await target.call('getBucketVersioning', { params })
  expect(stored).toMatchObject({ is_versioned: true, excluded_prefixes: ['tmp/', 'cache/'] })

  const cors = page.getByRole('region', { name: 'CORS' })
  await cors.getByRole('button', { name: 'Edit CORS' }).click()
  dialog = page.getByRole('dialog', { name: 'CORS Rules' })
  await dialog.getByLabel('Allowed Origins').fill('https://www.example.com')
  await dialog.getByLabel('PUT').check()
  await dialog.getByLabel('Max Age (seconds)').fill('60')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await cors.getByText('1 rule').waitFor()
  expect((await target.call('getBucketCors', { params })).rules).toEqual([
    {
      allowedOrigins: ['https://www.example.com'],
      allowedMethods: ['GET', 'PUT'],
      allowedHeaders: [],
      exposeHeaders: [],
      maxAgeSeconds: 60,
    },
  ])
})

test('a dialog whose setting was changed meanwhile shows both, keeps what was typed and replaces only what it has shown', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const params = { bucket }
  await target.call('setBucketTags', { params, body: { tags: { team: 'design' } } })
  const page = await open(`/buckets/${bucket}/summary`)
  await page.getByRole('region', { name: 'Tags' }).getByRole('button', { name: 'Edit Tags' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bucket Tags' })
  const value = dialog.getByLabel('Value', { exact: true })
  await value.fill('typed')
  const save = dialog.getByRole('button', { name: 'Save' })
  for (const [team, stage] of [
    ['music', 'test'],
    ['film', 'live'],
  ] as const) {
    await target.call('setBucketTags', { params, body: { tags: { team, stage } } })
    await save.click()
    await dialog.getByRole('alert').getByText('Somebody has changed this setting meanwhile').waitFor()
    await dialog.getByText(`stage = ${stage}`).waitFor()
    await dialog.getByText(`team = ${team}`).waitFor()
    expect(await value.inputValue()).toBe('typed')
    expect((await target.call('getBucketTags', { params })).tags).toEqual({ team, stage })
  }
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await target.call('getBucketTags', { params })).tags).toEqual({ team: 'typed' })
})

test.each(['Excluded Prefixes', 'CORS Rules', 'Bucket Policy'])(
  'the dialog %s shows what another administrator has stored meanwhile',
  async (title) => {
    const { target } = browser
    if (!target.embedded && title === 'CORS Rules') return
    const bucket = await target.newBucket()
    const params = { bucket }
    await target.call('setBucketVersioning', { params, body: { versioning: true } })
    // On a phone the stored value is far from the Save button.
    const page = await open(`/buckets/${bucket}/summary`, { width: 390, height: 700 })
    await page.getByRole('button', { name: OPENERS[title] ?? '' }).click()
    const dialog = page.getByRole('dialog', { name: title })
    const statement = (prefix: string) => ({
      Effect: 'Allow',
      Principal: { AWS: ['*'] },
      Action: ['s3:GetObject'],
      Resource: [`arn:aws:s3:::${bucket}/${prefix}*`],
    })
    const policy = (prefix: string) => JSON.stringify({ Version: '2012-10-17', Statement: [statement(prefix)] })
    const input = dialog.getByLabel(/Prefixes without versions|Allowed Origins|Write Policy/).first()
    const typed = title === 'Bucket Policy' ? policy('typed') : 'https://typed.test'
    await input.fill(typed)
    const others = {
      'Excluded Prefixes': () =>
        target.call('setBucketVersioning', { params, body: { versioning: true, excluded_prefixes: ['theirs/'] } }),
      'CORS Rules': () =>
        target.call('setBucketCors', {
          params,
          body: { rules: [{ allowedOrigins: ['https://theirs.test'], allowedMethods: ['GET'] }] },
        }),
      'Bucket Policy': () => target.call('setBucketPolicy', { params, body: { policy: policy('theirs') } }),
    }
    await others[title as keyof typeof others]()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/theirs/).waitFor()
    await expect.poll(() => isInView(dialog.getByRole('status').first())).toBe(true)
    expect(await input.evaluate((node) => ('value' in node ? node.value : node.textContent))).toContain('typed')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const stored = {
      'Excluded Prefixes': () => target.call('getBucketVersioning', { params }),
      'CORS Rules': () => target.call('getBucketCors', { params }),
      'Bucket Policy': () => target.call('getBucketPolicy', { params }),
    }
    const text = JSON.stringify(await stored[title as keyof typeof stored]())
    expect([text.includes('typed'), text.includes('theirs')]).toEqual([true, false])
  },
)

test('the dialogs of quota, retention, encryption, access and versioning show what another administrator has stored meanwhile', async () => {
  const { target } = browser
  const bucket = await newLockBucket()
  const params = { bucket }
  const page = await open(`/buckets/${bucket}/summary`)
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save' })
  const saveOnce = async (shown: string | RegExp) => {
    await save.click()
    await dialog.getByRole('status').getByText(shown).waitFor()
  }
  const saveAgain = async () => {
    await save.click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: 'Edit Quota' }).click()
  await dialog.getByLabel('Enabled').click()
  await dialog.getByLabel('Size').fill('7')
  await target.call('setBucketQuota', { params, body: { enabled: true, amount: 123_456 } })
  await saveOnce('123,456 bytes')
  expect(await dialog.getByLabel('Size').inputValue()).toBe('7')
  expect(await target.call('getBucketQuota', { params })).toMatchObject({ quota: 123_456 })
  await saveAgain()
  expect((await target.call('getBucketQuota', { params })).quota).toBeGreaterThan(123_456)

  await page.getByRole('button', { name: 'Edit Retention' }).click()
  await dialog.getByLabel('Validity').fill('9')
  await target.call('setBucketRetention', { params, body: { mode: 'governance', unit: 'years', validity: 4 } })
  await saveOnce('Governance, Validity: 4 years')
  expect(await dialog.getByLabel('Validity').inputValue()).toBe('9')
  await saveAgain()
  expect(await target.call('getBucketRetention', { params })).toMatchObject({ validity: 9 })

  await page.getByRole('button', { name: 'Edit Access Policy' }).click()
  await dialog.getByRole('radio', { name: /write and delete/ }).check()
  await target.call('setAccessRule', { params, body: { prefix: 'out/', access: 'readonly' } })
  await saveOnce(/The bucket has its own policy/)
  expect(await dialog.getByRole('radio', { name: /write and delete/ }).isChecked()).toBe(true)
  await saveAgain()
  expect((await target.call('listAccessRules', { params })).accessRules).toHaveLength(2)

  if (!target.embedded) return
  await page.getByRole('button', { name: 'Edit Encryption' }).click()
  await dialog.getByText('SSE-KMS', { exact: true }).click()
  await target.call('enableBucketEncryption', { params, body: { encType: 'sse-s3' } })
  await saveOnce('SSE-S3')
  await saveAgain()
  expect(await target.call('getBucketEncryption', { params })).toMatchObject({ algorithm: 'aws:kms' })
})

test('versioning is not switched off if prefixes were excluded meanwhile, but after showing them', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const params = { bucket }
  await target.call('setBucketVersioning', { params, body: { versioning: true } })
  const page = await open(`/buckets/${bucket}/summary`)
  await page.getByRole('button', { name: 'Edit Versioning' }).click()
  await target.call('setBucketVersioning', { params, body: { versioning: true, excluded_prefixes: ['theirs/'] } })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Disable Versioning' }).click()
  await dialog.getByText(/theirs\//).waitFor()
  expect(await target.call('getBucketVersioning', { params })).toMatchObject({ is_versioned: true })
  await dialog.getByRole('button', { name: 'Disable Versioning' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await target.call('getBucketVersioning', { params })).toMatchObject({ is_versioned: false })
})

test('the dialogs of a bucket work by keyboard on a phone, pass axe in both schemes and give the focus back', async () => {
  const { target } = browser
  const [locking, plain] = [await newLockBucket(), await target.newBucket()]
  await target.call('setBucketVersioning', { params: { bucket: plain }, body: { versioning: true } })
  const settings = [
    'Quota',
    'Retention',
    'Access Policy',
    'Bucket Policy',
    'Tags',
    ...(target.embedded ? ['CORS', 'Encryption'] : []),
  ]
  const sections = {
    [`${locking}/summary`]: [...settings.map((name) => `Edit ${name}`), 'Copy Settings'],
    [`${plain}/summary`]: ['Edit Versioning', 'Exclude prefixes'],
    [`${plain}/events`]: ['Subscribe to Event'],
    [`${plain}/prefix`]: ['Add Access Rule'],
  }
  const page = await open('/buckets', { width: 390, height: 844, bypassCSP: true })
  const dialog = page.getByRole('dialog')
  for (const [section, buttons] of Object.entries(sections)) {
    await page.goto(`buckets/${section}`)
    for (const name of buttons) {
      const button = page.getByRole('button', { name, exact: true })
      await button.press('Enter')
      await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe(colorScheme)
        // On a busy machine the new colors are drawn some time after the attribute is set.
        await expect.poll(async () => [name, await axeFindings(page, '[role=dialog]')]).toEqual([name, []])
      }
      const wide = await dialog.evaluate((node) => node.scrollWidth - node.clientWidth)
      expect([name, wide]).toEqual([name, 0])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await expectFocus(button)
    }
  }
})

test('a page asks once for each setting, also for those that the bucket does not have', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open('/buckets')
  const calls = recordCalls(page, new RegExp(`/api/v1/buckets/${bucket}/`))
  await page.goto(`buckets/${bucket}/summary`)
  await page.getByRole('region', { name: 'Encryption' }).getByText('Disabled', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Versioning' }).getByText('Disabled', { exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(calls).toContain(`GET /api/v1/buckets/${bucket}/encryption/info`)
  expect(calls.filter((call, i) => calls.indexOf(call) !== i)).toEqual([])
})

test.each([
  ['Encryption', 's3:PutEncryptionConfiguration'],
  ['Retention', 's3:PutBucketObjectLockConfiguration'],
  ['Tags', 's3:PutBucketTagging'],
  ['CORS', 's3:PutBucketCors'],
])('without the right the card %s names it', async (label, action) => {
  const { target } = browser
  const bucket = await newLockBucket()
  const as = await target.newUser(allowS3Except([action], [bucket]))
  const page = await open(`/buckets/${bucket}/summary`, { as })
  const edit = page.getByRole('button', { name: `Edit ${label}` })
  await expect.poll(() => edit.getAttribute('aria-disabled')).toBe('true')
  await edit.focus()
  await page.getByRole('tooltip').getByText(action).waitFor()
})

test('the bucket policy is edited as JSON: errors are shown, and a lockout needs a confirmation', async (t) => {
  const { target } = browser
  if (!target.embedded) t.skip('policies of its buckets are about everyone alone')
  const bucket = await target.newBucket()
  const as = await target.newUser(allowS3Except(['s3:DeleteBucket'], [bucket]))
  const page = await open(`/buckets/${bucket}/summary`, { as })
  await page.getByRole('button', { name: 'Edit Bucket Policy' }).click()
  const dialog = page.getByRole('dialog', { name: /Bucket Policy/ })
  const editor = dialog.getByRole('textbox', { name: 'Write Policy' })
  await editor.fill('{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"x"}]}')
  await dialog.getByText(/Line 1: .*Principal/).waitFor()
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Deny',
        Principal: { AWS: [`arn:aws:iam:::user/${as.accessKey}`] },
        Action: ['s3:PutBucketPolicy'],
        Resource: [`arn:aws:s3:::${bucket}`],
      },
    ],
  }
  await editor.fill(JSON.stringify(policy))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/you could no longer/)
    .waitFor()
  expect((await target.call('getBucketPolicy', { params: { bucket } })).policy).toBe('')
  await dialog.getByLabel('Save it anyway').click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'Access Policy' }).getByText('Custom', { exact: true }).waitFor()
})
