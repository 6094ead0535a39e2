// Finds Chromium; as root on Debian it is installed from the system's packages if it is missing. The headless shell is Chromium
// without its user interface: a page opens three times as fast as in the full browser.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const candidatePaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** @returns the path of a Chromium that can be run; exits with an installation command if there is none */
export function findChromium() {
  const found = [process.env.CHROMIUM_PATH, ...candidatePaths].find((path) => path && existsSync(path))
  if (found) return found
  const install = 'apt-get install -y --no-install-recommends'
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium …')
    spawnSync(
      'sh',
      ['-c', `apt-get update -qq; ${install} chromium-headless-shell >/dev/null || ${install} chromium >/dev/null`],
      {
        stdio: 'inherit',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      },
    )
    const installed = candidatePaths.find((path) => existsSync(path))
    if (installed) return installed
  }
  console.error(
    `The browser tests need Chromium. Install it with:\n  sudo ${install} chromium-headless-shell\nor set CHROMIUM_PATH.`,
  )
  process.exit(1)
}
