import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

/* Cookies are not bound to ports: a browser sends cookies of one program to all programs of the host. */

const browser = useBrowser()
const { open } = browser

const signedInUser = async (page: Page, c: TestTarget) =>
  await page.evaluate(async (url) => {
    const answer = await fetch(url)
    return answer.ok ? ((await answer.json()) as { user: string }).user : answer.status
  }, `${c.url}/api/v1/session`)

/** Opens a page on another port of the same host that runs a script, like an object in the store could. */
async function visit(page: Page, script: string): Promise<void> {
  const server = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' }).end(`<title>set</title><script>${script}</script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const tab = await page.context().newPage()
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await tab.close()
  await new Promise((resolve) => server.close(resolve))
}

test('a page of another port can neither swap nor end the session of a browser', async () => {
  const c = browser.target
  const page = await open('/object-browser')
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  const attacker = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
  })
  const name = `stowage-${new URL(c.url).port}`
  const plant = [
    `token=${attacker.session}; Path=/`,
    `token=${attacker.session}; Path=/api/v1`,
    `${name}=${attacker.session}; Path=/api`,
    `${name}=${attacker.session}; Path=/api/v1/session`,
    `${name}=; Path=/`,
    `${name}=${attacker.session}; Path=/`,
  ]
  for (const cookie of plant) {
    await visit(page, `document.cookie = ${JSON.stringify(cookie)}`)
    // Refused at most once, and the planted cookie is deleted.
    const first = await signedInUser(page, c)
    expect([401, c.rootUser], cookie).toContain(first)
    expect(await signedInUser(page, c), cookie).toBe(c.rootUser)
  }
})

test('a browser that is not signed in is not signed in by a page of another port', async () => {
  const c = browser.target
  const page = await open('/login', { as: false })
  await page.getByLabel('Enter Username').waitFor()
  await visit(page, `document.cookie = 'token=${c.root.session}; Path=/'`)
  expect(await signedInUser(page, c)).toBe(401)
})

test('consoles on other ports of a host keep their sessions apart', async () => {
  await using other = await startConsole()
  const page = await open('/object-browser')
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  const user = await other.newUser({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
  })
  const tab = await page.context().newPage()
  await tab.goto(`${other.url}/login`)
  await tab.getByLabel('Enter Username').fill(user.accessKey)
  await tab.getByLabel('Enter Password', { exact: true }).fill(user.secretKey)
  await tab.keyboard.press('Enter')
  await tab.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  expect(await signedInUser(tab, other)).toBe(user.accessKey)
  expect(await signedInUser(page, browser.target)).toBe(browser.target.rootUser)
  await tab.getByRole('button', { name: 'Logout' }).click()
  await tab.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect(await signedInUser(page, browser.target)).toBe(browser.target.rootUser)
})
