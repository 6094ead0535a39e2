// Installs packages if the lock file is newer than what is installed. Uses only Node, because it runs in a fresh clone. Run as a
// program, it also installs those for tests and checks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const oldest = [20, 19]

/** @param omitDev leave out packages for tests and checks */
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
  // Keep the tools if they were installed with `npm ci`.
  const dev = !omitDev || existsSync(join(root, 'node_modules', 'vitest'))
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', dev ? '--include=dev' : '--omit=dev']
  const npm = spawn('npm', args, { stdio: 'inherit', cwd: root })
  const stop = (signal) => {
    // After a gentler signal npm would continue until the installation ends. An incomplete installation is replaced by the next
    // one.
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

/** Whether `npm ci` has installed all packages in the lock file. npm writes its own list at the end. */
function isInstalled(wanted) {
  const list = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return false
  const { packages } = JSON.parse(readFileSync(list, 'utf8'))
  return Object.entries(wanted).every(
    // Of optional packages npm installs those for this machine; workspaces belong to the repository.
    ([path, { version, optional }]) =>
      optional || !path.includes('node_modules/') || packages[path]?.version === version,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureInstalled()
