// Installs from the lock file when it is newer than what is installed. Uses nothing but Node: it runs in a fresh clone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const oldest = [20, 19]

/** @param omitDev leave out what only tests and checks need */
export async function ensureInstalled(omitDev = false) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
    console.error(`Stowage needs Node ${oldest.join('.')} or newer; this is ${process.version}.`)
    process.exit(1)
  }
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const stamp = join(root, 'node_modules', '.stowage-lock')
  const installed = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : undefined
  if (installed?.lock === lock && (omitDev || installed.dev)) return
  if (!installed && isInstalled(JSON.parse(lock).packages))
    return writeFileSync(stamp, JSON.stringify({ lock, dev: true }))
  console.log('Installing dependencies …')
  // Who has the tools, by `npm ci` by hand, keeps them.
  const dev = !omitDev || existsSync(join(root, 'node_modules', 'vitest'))
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', dev ? '--include=dev' : '--omit=dev']
  const npm = spawn('npm', args, { stdio: 'inherit', cwd: root })
  const stop = (signal) => {
    // Asked to stop, npm goes on for as long as the install takes. What is half there goes when the next one begins.
    npm.kill('SIGKILL')
    console.error('\nStopped. The next start installs anew.')
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
  const [status] = await once(npm, 'close')
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop)
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, JSON.stringify({ lock, dev }))
}

/** Whether an `npm ci` by hand has brought all that the lock file names. npm writes its own list when it has ended. */
function isInstalled(wanted) {
  const list = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return false
  const { packages } = JSON.parse(readFileSync(list, 'utf8'))
  return Object.entries(wanted).every(
    // Of the optional ones npm takes those for this machine; the workspaces are the repository's own.
    ([path, { version, optional }]) =>
      optional || !path.includes('node_modules/') || packages[path]?.version === version,
  )
}
