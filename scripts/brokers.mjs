// Finds the servers for tests of notification targets, directory sign-in, metrics and tiers, and unzip; as root on Debian, missing
// ones are installed from the system's packages. Without them, their tests are skipped.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const programs = {
  'redis-server': '/usr/bin/redis-server',
  mosquitto: '/usr/sbin/mosquitto',
  'nats-server': '/usr/sbin/nats-server',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  'mariadb-server': '/usr/sbin/mariadbd',
  'rabbitmq-server': '/usr/lib/rabbitmq/bin/rabbitmq-server',
  slapd: '/usr/sbin/slapd',
  prometheus: '/usr/bin/prometheus',
  unzip: '/usr/bin/unzip',
}

const root = fileURLToPath(new URL('..', import.meta.url))
const AZURITE = 'azurite@3.35.0'
const GCS_EMULATOR = 'gcp-storage-emulator==2026.7.19'

/** Installs emulators of Azure and Google Cloud Storage, from npm and PyPI, once, into tmp. Without them, their tests are skipped. */
export function findEmulators() {
  const azurite = join(root, 'tmp/azurite')
  find(AZURITE, azurite, 'node_modules/.bin/azurite-blob', () => {
    // Without a package of its own, npm would change the one above.
    writeFileSync(join(azurite, 'package.json'), '{ "private": true }')
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    return run('npm', ['install', '--prefix', azurite, ...options, AZURITE])
  })
  const gcs = join(root, 'tmp/gcs-emulator')
  find(GCS_EMULATOR, gcs, 'bin/gcp-storage-emulator', () => {
    const pip = [join(gcs, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', GCS_EMULATOR]]
    return run('python3', ['-m', 'venv', gcs]) && run(...pip)
  })
}

function find(name, folder, program, install) {
  if (existsSync(join(folder, program))) return
  console.log(`Installing ${name} …`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (install()) return
  // The rest of a failed installation could look like a program.
  rmSync(folder, { recursive: true, force: true })
  console.log(`Tiers are not tested with ${name}, because it could not be installed.`)
}

const run = (program, args) => spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0

/** Installs missing servers, or prints what to install. */
export function findBrokers() {
  const missing = () => Object.keys(programs).filter((name) => !existsSync(programs[name]))
  if (missing().length === 0) return
  const install = `apt-get install -y --no-install-recommends ${missing().join(' ')}`
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing ${missing().join(', ')} …`)
    // Tests start them on their own ports and folders, so they must not run as services.
    const policy = 'printf "#!/bin/sh\\nexit 101\\n" > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d'
    spawnSync(
      'sh',
      ['-c', `[ -e /usr/sbin/policy-rc.d ] || { ${policy}; }; apt-get update -qq && ${install} >/dev/null`],
      {
        stdio: 'inherit',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      },
    )
  }
  if (missing().length > 0) console.log(`Some targets are not tested. Install their servers:\n  sudo ${install}`)
}
