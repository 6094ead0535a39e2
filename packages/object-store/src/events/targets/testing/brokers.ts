import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeLdapDirectory } from '../../../iam/ldap/testing/entries.ts'
import { freePorts } from './free-ports.ts'
import { makeCertificate } from './test-certificate.ts'

/* Real servers for tests, each on a free port with its own folder. scripts/brokers.mjs installs them. */

export interface Broker extends AsyncDisposable {
  readonly port: number
  /** Folder with `cert.pem` and `key.pem`, if it has a certificate. */
  readonly folder: string
  /** Lines of its output, to explain a failed test. */
  readonly log: string[]
}

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url))

/** On a busy machine the virtual machine of RabbitMQ needs more than a minute. Each wait ends as soon as the server answers. */
const START_MS = 240_000
/** Timeout of a hook that starts a server. */
export const BROKER_TIMEOUT = START_MS + 10_000

/** Number of consecutive ports that each server may use. */
const PORTS = 3

interface Program {
  /** Path on Debian. */
  readonly path: string
  /** User to run as if the tests run as root. */
  readonly user?: string
  prepare?(folder: string, port: number, run: (command: string, args: string[]) => void): Promise<void>
  arguments(folder: string, port: number): string[]
  environment?(folder: string, port: number): Record<string, string>
  /** Whether it is ready, according to its output. */
  isReady(log: readonly string[]): boolean
  stop?(port: number): void
}

const outputContains = (text: string) => (log: readonly string[]) => log.some((line) => line.includes(text))

const POSTGRES = {
  path: '/usr/lib/postgresql/15/bin/postgres',
  user: 'postgres',
  isReady: outputContains('database system is ready to accept connections'),
}

const preparePostgres: NonNullable<Program['prepare']> = async (folder, _port, run) => {
  await writeFile(join(folder, 'password'), 'secret')
  const options = ['--no-sync', '-A', 'scram-sha-256', '-U', 'u', '--pwfile', join(folder, 'password')]
  run('/usr/lib/postgresql/15/bin/initdb', ['-D', join(folder, 'db'), ...options])
}

const postgresArguments = (folder: string, port: number) => [
  '-D',
  join(folder, 'db'),
  '-p',
  `${port}`,
  '-h',
  '127.0.0.1',
  '-k',
  folder,
  '-c',
  'fsync=off',
]

const PROGRAMS = {
  redis: {
    path: '/usr/bin/redis-server',
    async prepare(folder, _port, run) {
      makeCertificate(folder, run)
    },
    // Plain on the port; TLS on the next one, for clients with a certificate.
    arguments: (folder, port) => [
      ...['--tls-port', `${port + 1}`, '--tls-cert-file', join(folder, 'cert.pem')],
      ...['--tls-key-file', join(folder, 'key.pem'), '--tls-ca-cert-file', join(folder, 'cert.pem')],
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '',
      '--requirepass',
      'secret',
    ],
    isReady: outputContains('Ready to accept connections'),
  },
  mosquitto: {
    path: '/usr/sbin/mosquitto',
    async prepare(folder, port) {
      await writeFile(join(folder, 'mosquitto.conf'), `listener ${port} 127.0.0.1\nallow_anonymous true\n`)
    },
    arguments: (folder) => ['-c', join(folder, 'mosquitto.conf'), '-v'],
    isReady: outputContains('running'),
  },
  nats: {
    path: '/usr/sbin/nats-server',
    arguments: (folder, port) => [
      '-a',
      '127.0.0.1',
      '-p',
      `${port}`,
      '-js',
      '-sd',
      folder,
      '--user',
      'u',
      '--pass',
      'secret',
    ],
    isReady: outputContains('Server is ready'),
  },
  natsTls: {
    path: '/usr/sbin/nats-server',
    async prepare(folder, _port, run) {
      makeCertificate(folder, run)
    },
    arguments: (folder, port) => [
      ...['-a', '127.0.0.1', '-p', `${port}`, '--user', 'u', '--pass', 'secret', '--tls'],
      ...['--tlscert', join(folder, 'cert.pem'), '--tlskey', join(folder, 'key.pem')],
    ],
    isReady: outputContains('Server is ready'),
  },
  mosquittoTls: {
    path: '/usr/sbin/mosquitto',
    async prepare(folder, port, run) {
      makeCertificate(folder, run)
      const files = `certfile ${join(folder, 'cert.pem')}\nkeyfile ${join(folder, 'key.pem')}\n`
      // It starts as root and reads its key as another user.
      const user = process.getuid?.() === 0 ? 'user root\n' : ''
      const listener = `listener ${port} 127.0.0.1\nallow_anonymous true\n${files}`
      await writeFile(join(folder, 'mosquitto.conf'), `${user}${listener}`)
    },
    arguments: (folder) => ['-c', join(folder, 'mosquitto.conf'), '-v'],
    isReady: outputContains('running'),
  },
  postgres: {
    ...POSTGRES,
    prepare: preparePostgres,
    arguments: postgresArguments,
  },
  postgresTls: {
    ...POSTGRES,
    async prepare(folder, port, run) {
      makeCertificate(folder, run)
      // Clients need TLS, a password, and a certificate.
      await writeFile(join(folder, 'hba'), 'hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n')
      await preparePostgres(folder, port, run)
    },
    arguments: (folder, port) => [
      ...postgresArguments(folder, port),
      ...['-c', 'ssl=on', '-c', `hba_file=${join(folder, 'hba')}`, '-c', `ssl_ca_file=${join(folder, 'cert.pem')}`],
      ...['-c', `ssl_cert_file=${join(folder, 'cert.pem')}`, '-c', `ssl_key_file=${join(folder, 'key.pem')}`],
    ],
  },
  mariadb: {
    path: '/usr/sbin/mariadbd',
    user: 'mysql',
    async prepare(folder, _port, run) {
      makeCertificate(folder, run)
      const users = ["u@'127.0.0.1'", "encrypted@'127.0.0.1'"]
      await writeFile(
        join(folder, 'init.sql'),
        [
          'CREATE DATABASE events;',
          ...users.map((user) => `CREATE USER ${user} IDENTIFIED BY 'secret';\nGRANT ALL ON events.* TO ${user};`),
          "ALTER USER encrypted@'127.0.0.1' REQUIRE SSL;\n",
        ].join('\n'),
      )
      const options = ['--no-defaults', '--skip-test-db', '--auth-root-authentication-method=normal']
      run('/usr/bin/mariadb-install-db', [...options, `--datadir=${join(folder, 'db')}`])
    },
    arguments: (folder, port) => [
      '--no-defaults',
      `--datadir=${join(folder, 'db')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      `--socket=${join(folder, 'socket')}`,
      `--init-file=${join(folder, 'init.sql')}`,
      '--innodb-flush-log-at-trx-commit=0',
      `--ssl-cert=${join(folder, 'cert.pem')}`,
      `--ssl-key=${join(folder, 'key.pem')}`,
    ],
    isReady: outputContains('ready for connections'),
  },
  rabbitmq: {
    path: '/usr/lib/rabbitmq/bin/rabbitmq-server',
    arguments: () => [],
    environment: (folder, port) => ({
      HOME: folder,
      RABBITMQ_NODENAME: `stowage${port}@localhost`,
      RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
      RABBITMQ_NODE_PORT: `${port}`,
      RABBITMQ_DIST_PORT: `${port + 1}`,
      RABBITMQ_MNESIA_BASE: join(folder, 'db'),
      RABBITMQ_LOG_BASE: join(folder, 'log'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
      RABBITMQ_PID_FILE: join(folder, 'pid'),
      ERL_EPMD_PORT: `${port + 2}`,
      ERL_EPMD_ADDRESS: '127.0.0.1',
      // Its threads otherwise wait actively, on the cores that the tests need.
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none',
    }),
    isReady: outputContains('completed with'),
    // The daemon by which nodes find each other is not in our process group.
    stop: (port) => void spawnSync('epmd', ['-port', `${port + 2}`, '-kill']),
  },
  slapd: {
    path: '/usr/sbin/slapd',
    async prepare(folder, _port, run) {
      await writeLdapDirectory(folder)
      makeCertificate(folder, run)
      run('/usr/sbin/slapadd', ['-q', '-f', join(folder, 'slapd.conf'), '-l', join(folder, 'entries.ldif')])
    },
    // Plain and StartTLS on the port, TLS on the next one.
    arguments: (folder, port) => [
      ...['-f', join(folder, 'slapd.conf'), '-d', 'stats'],
      ...['-h', `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${port + 1}`],
    ],
    isReady: outputContains('slapd starting'),
  },
  azurite: {
    path: join(ROOT, 'tmp/azurite/node_modules/.bin/azurite-blob'),
    arguments: (_folder, port) => [
      ...['--blobHost', '127.0.0.1', '--blobPort', `${port}`, '--inMemoryPersistence'],
      ...['--skipApiVersionCheck', '--disableTelemetry'],
    ],
    isReady: outputContains('successfully listens'),
  },
  // Its bucket is `cold`. It accepts every access token.
  gcsEmulator: {
    path: join(ROOT, 'tmp/gcs-emulator/bin/gcp-storage-emulator'),
    arguments: (_folder, port) => [
      ...['start', '--host', '127.0.0.1', '--port', `${port}`, '--in-memory', '--default-bucket', 'cold'],
    ],
    isReady: outputContains('All services started'),
  },
} satisfies Record<string, Program>

export type BrokerName = keyof typeof PROGRAMS

export const isBrokerInstalled = (name: BrokerName) => existsSync(PROGRAMS[name].path)

export async function startBroker(name: BrokerName): Promise<Broker> {
  const program: Program = PROGRAMS[name]
  const folder = await mkdtemp(join(tmpdir(), `stowage-${name}-`))
  const port = await freePorts(PORTS)
  const owner = program.user !== undefined && process.getuid?.() === 0 ? userIds(program.user) : undefined
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const log: string[] = []
  const run = (command: string, args: string[]) => {
    const { status, stderr } = spawnSync(command, args, {
      cwd: folder,
      ...owner,
      env: { ...process.env, TMPDIR: folder },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${command}: ${stderr}`)
  }
  mkdirSync(join(folder, 'log'))
  await program.prepare?.(folder, port, run)
  const child = spawn(program.path, program.arguments(folder, port), {
    cwd: folder,
    ...owner,
    env: { ...process.env, TMPDIR: folder, ...program.environment?.(folder, port) },
    detached: true,
  })
  const listen = (chunk: Buffer) => void log.push(...chunk.toString().split('\n'))
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const stop = async () => {
    await stopGroup(child)
    program.stop?.(port)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await waitUntil(() => program.isReady(log), child, log)
    await waitUntil(() => canConnect(port), child, log)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, folder, log, [Symbol.asyncDispose]: stop }
}

async function waitUntil(done: () => boolean | Promise<boolean>, child: ChildProcess, log: string[]): Promise<void> {
  for (const end = performance.now() + START_MS; performance.now() < end; ) {
    if (await done()) return
    if (child.exitCode !== null) break
    await sleep(25)
  }
  throw new Error(`the server did not start:\n${log.slice(-20).join('\n')}`)
}

/** Stops a process together with those that it started, such as the virtual machine of RabbitMQ. */
async function stopGroup(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.exitCode !== null || child.pid === undefined) return
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy())
    socket.on('error', () => resolve(false))
  })
}

function userIds(user: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}
