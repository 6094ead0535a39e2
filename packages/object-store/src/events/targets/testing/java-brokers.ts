import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from './free-ports.ts'
import { makeCertificate } from './test-certificate.ts'

/* Kafka, Elasticsearch and nsqd, which Debian does not have. scripts/test-brokers.mjs downloads them and sets their folder. */

const FOLDER = process.env.STOWAGE_BROKERS ?? ''

export type JavaBrokerName = 'kafka-3.9.0' | 'kafka-4.0.0' | 'elasticsearch-7.10.2' | 'nsqd-1.3.0'

/** Returns the folder of its Java archives, or the path of its program. */
const programPath = (name: JavaBrokerName) => join(FOLDER, name)
export const isJavaBrokerInstalled = (name: JavaBrokerName) => FOLDER !== '' && existsSync(programPath(name))

interface RunningJavaBroker extends AsyncDisposable {
  readonly folder: string
  readonly port: number
  readonly log: string[]
}

/**
 * A Kafka broker: plain on its port, SASL on the next one, TLS on the third, TLS for clients with its certificate on the fourth.
 * The user u has the password secret.
 */
export async function startKafkaBroker(name: JavaBrokerName): Promise<RunningJavaBroker> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-kafka-'))
  const port = await freePorts(5)
  makeCertificate(folder)
  const pem = await Promise.all(['key.pem', 'cert.pem'].map((file) => readFile(join(folder, file), 'utf8')))
  await writeFile(join(folder, 'store.pem'), pem.join(''))
  const module = 'org.apache.kafka.common.security'
  await writeFile(
    join(folder, 'server.properties'),
    `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${port + 4}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAIN
listeners=PLAIN://127.0.0.1:${port},SASL://127.0.0.1:${port + 1},TLS://127.0.0.1:${port + 2},MUTUAL://127.0.0.1:${port + 3},CONTROLLER://127.0.0.1:${port + 4}
listener.security.protocol.map=PLAIN:PLAINTEXT,SASL:SASL_PLAINTEXT,TLS:SSL,MUTUAL:SSL,CONTROLLER:PLAINTEXT
listener.name.sasl.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.sasl.plain.sasl.jaas.config=${module}.plain.PlainLoginModule required user_u="secret";
listener.name.sasl.scram-sha-256.sasl.jaas.config=${module}.scram.ScramLoginModule required;
listener.name.sasl.scram-sha-512.sasl.jaas.config=${module}.scram.ScramLoginModule required;
ssl.keystore.type=PEM
ssl.keystore.location=${join(folder, 'store.pem')}
ssl.truststore.type=PEM
ssl.truststore.location=${join(folder, 'cert.pem')}
listener.name.mutual.ssl.client.auth=required
log.dirs=${join(folder, 'logs')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
`,
  )
  const java = ['-Xmx400m', '-cp', join(programPath(name), '*')]
  const id = randomBytes(16).toString('base64url')
  const users = ['256', '512'].flatMap((bits) => ['--add-scram', `SCRAM-SHA-${bits}=[name=u,password=secret]`])
  const format = ['format', '-t', id, '-c', join(folder, 'server.properties'), ...users]
  const formatted = spawnSync('java', [...java, 'kafka.tools.StorageTool', ...format], { encoding: 'utf8' })
  if (formatted.status !== 0) throw new Error(`${formatted.stdout}${formatted.stderr}`)
  return await start('java', [...java, 'kafka.Kafka', join(folder, 'server.properties')], folder, port)
}

export async function startElasticsearchNode(): Promise<RunningJavaBroker> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-elasticsearch-'))
  // The test runner only permits ports up to 9299.
  const port = await freePorts(1, 9201, 9299)
  const opened = ['java.base/java.lang', 'java.base/java.util', 'java.base/java.nio', 'java.base/sun.nio.ch']
  const opens = opened.flatMap((name) => ['--add-opens', `${name}=ALL-UNNAMED`])
  const options = ['-basePath', folder, '-numOfNode', '1', '-baseHttpPort', `${port - 1}`, '-clusterName', `c${port}`]
  const main = 'org.codelibs.elasticsearch.runner.ElasticsearchClusterRunner'
  const classes = join(programPath('elasticsearch-7.10.2'), '*')
  return await start('java', ['-Xmx600m', ...opens, '-cp', classes, main, ...options], folder, port)
}

/** Starts nsqd, which also has an HTTP port: the next one. */
export async function startNsqdProgram(): Promise<RunningJavaBroker> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-nsqd-'))
  const port = await freePorts(2)
  const addresses = [`--tcp-address=127.0.0.1:${port}`, `--http-address=127.0.0.1:${port + 1}`]
  return await start(programPath('nsqd-1.3.0'), [...addresses, `--data-path=${folder}`], folder, port)
}

async function start(
  program: string,
  args: readonly string[],
  folder: string,
  port: number,
): Promise<RunningJavaBroker> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const log: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await waitForPort(port, child)
  } catch {
    await stop()
    throw new Error(`${program} did not start:\n${log.join('').slice(-4000)}`)
  }
  return { folder, port, log, [Symbol.asyncDispose]: stop }
}

async function waitForPort(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 900 && child.exitCode === null; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('connect', () => socket.destroy())
      socket.on('error', () => resolve(false))
    })
    if (isOpen) return
    await sleep(200)
  }
  throw new Error('it does not listen')
}
