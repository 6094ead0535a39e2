import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** `npm test` sets the path; this finds it if a single file or a benchmark is run by hand. */
export const chromiumPath =
  process.env.CHROMIUM_PATH ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((place) => existsSync(place))

export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // To the browser this name is not a loopback address, so plain HTTP there is an insecure context.
      '--host-resolver-rules=MAP insecure.test 127.0.0.1',
    ],
  })
}
