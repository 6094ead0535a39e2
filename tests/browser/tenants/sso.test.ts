import { resources } from '@stowage/kube'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../support/browser/chromium.ts'
import { tenantBody } from '../../support/browser/operator-browser.ts'
import { type SsoOperator, startSsoOperator } from '../../support/operator/operator-sso.ts'
import type { TestOperator } from '../../support/operator/start-operator.ts'
import type { TestProvider } from '../../support/sign-in/oidc-provider.ts'

const apiGroup = 'rbac.authorization.k8s.io'

let sso: SsoOperator
let provider: TestProvider
let o: TestOperator
let browser: Browser
beforeAll(async () => {
  sso = await startSsoOperator({ env: () => ({ CONSOLE_IDP_END_SESSION_ENDPOINT: 'on' }) })
  ;({ provider, operator: o } = sso)
  const name = 'sso-tenants'
  const rules = [{ apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['list', 'watch'] }]
  await o.kube.create(resources.clusterRoles, { metadata: { name }, rules })
  await o.kube.create(resources.clusterRoleBindings, {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', apiGroup, name: 'oidc:anna@example.com' }],
  })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await sso?.[Symbol.asyncDispose]()
})

async function newBrowser(): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: `${o.url}/` })
  context.setDefaultTimeout(40_000)
  onTestFinished(async () => await context.close())
  return context
}

async function signIn(page: Page, user: string) {
  await page.goto('login')
  await page.getByRole('link', { name: 'Login with SSO' }).click()
  await page.waitForURL(`${provider.issuer}/**`)
  await page.locator('input[name=login]').fill(user)
  await page.locator('input[name=password]').fill('whatever')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${o.url}/tenants`)
}

test('a user of the provider sees the tenants with their own rights, and Logout ends the session at the provider too', async () => {
  const context = await newBrowser()
  const page = await context.newPage()
  await signIn(page, 'anna')
  await page.getByText('There are no Tenants yet.').waitFor()
  await page.getByText('oidc:anna@example.com').waitFor()
  expect((await context.cookies(o.url)).filter(({ name }) => name.includes('sso'))).toEqual([])

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(`${provider.issuer}/session/end?**`)
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.waitForURL(`${o.url}/login`)
  await page.getByRole('heading', { name: 'Operator Login' }).waitFor()
  expect((await page.request.get('api/v1/session')).status()).toBe(401)
  // The provider asks for the name again: the next user of this browser does not sign in as the last one.
  await page.getByRole('link', { name: 'Login with SSO' }).click()
  await page.waitForURL(`${provider.issuer}/**`)
  await page.locator('input[name=login]').waitFor()
})

test('a user who may list in one namespace enters its name once, for tenants and volumes', async () => {
  const namespace = await o.newNamespace()
  const rules = [
    { apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['list', 'watch'] },
    { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['list'] },
  ]
  await o.kube.create(resources.roles, { metadata: { name: 'one', namespace }, rules })
  await o.kube.create(resources.roleBindings, {
    metadata: { name: 'one', namespace },
    roleRef: { apiGroup, kind: 'Role', name: 'one' },
    subjects: [{ kind: 'User', apiGroup, name: 'oidc:bob@example.com' }],
  })
  await o.admin.call('createTenant', { body: tenantBody('only-one', namespace) })
  await o.admin.call('createTenant', { body: tenantBody('of-others', await o.newNamespace()) })
  const page = await (await newBrowser()).newPage()
  await signIn(page, 'bob')
  await page.getByLabel('Namespaces').fill(namespace)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('link', { name: 'only-one', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'of-others', exact: true }).count()).toBe(0)
  await page.goto('tenants')
  await page.getByRole('link', { name: 'only-one', exact: true }).waitFor()
  const read = page.waitForResponse((answer) => answer.url().includes(`list-pvcs?namespaces=${namespace}`))
  await page.goto('storage/volumes')
  expect((await read).status()).toBe(200)
  await page.getByText('There are no Volumes yet.').waitFor()
})
