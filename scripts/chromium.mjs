// Where Chromium is; as root on Debian it is installed from the system's packages where it is missing.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** @returns the path of a Chromium that can be run; ends the process with the command to run where there is none */
export function findChromium() {
  const found = [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path))
  if (found) return found
  const install = 'apt-get install -y --no-install-recommends chromium'
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium …')
    spawnSync('sh', ['-c', `apt-get update -qq && ${install} >/dev/null`], {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (existsSync(places[0])) return places[0]
  }
  console.error(`The browser tests need Chromium. Install it with:\n  sudo ${install}\nor set CHROMIUM_PATH.`)
  process.exit(1)
}
