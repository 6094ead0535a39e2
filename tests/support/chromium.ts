import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** `npm test` sets the path; a single file run by hand finds it here. */
const path =
  process.env.CHROMIUM_PATH ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((place) => existsSync(place))

export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    ...(path !== undefined && { executablePath: path }),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // A name that is no loopback address to the browser, so that plain HTTP there is an insecure context.
      '--host-resolver-rules=MAP insecure.test 127.0.0.1',
    ],
  })
}
