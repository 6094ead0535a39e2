// Finds the servers for tests of notification targets, directory sign-in and metrics; as root on Debian, missing ones are installed from
// the system's packages. Without them, their tests are skipped.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const programs = {
  'redis-server': '/usr/bin/redis-server',
  mosquitto: '/usr/sbin/mosquitto',
  'nats-server': '/usr/sbin/nats-server',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  'mariadb-server': '/usr/sbin/mariadbd',
  'rabbitmq-server': '/usr/lib/rabbitmq/bin/rabbitmq-server',
  slapd: '/usr/sbin/slapd',
  prometheus: '/usr/bin/prometheus',
}

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
