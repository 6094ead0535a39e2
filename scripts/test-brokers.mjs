// Tests notification targets against Kafka, Elasticsearch and nsqd: `npm run test:brokers`. They come from Maven Central and the
// Go module proxy, once, into tmp/brokers. It prints what cannot be had.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.env.STOWAGE_BROKERS ?? join(root, 'tmp/brokers')

const archives = {
  'kafka-3.9.0': 'org.apache.kafka:kafka_2.13:3.9.0',
  'kafka-4.0.0': 'org.apache.kafka:kafka_2.13:4.0.0',
  'elasticsearch-7.10.2': 'org.codelibs:elasticsearch-cluster-runner:7.10.2.0',
}

const run = (program, args, options) => spawnSync(program, args, { stdio: 'inherit', ...options }).status === 0

/** Copies an artifact and all that it needs. @returns whether that worked */
function getArchives(name, artifact) {
  const [group, id, version] = artifact.split(':')
  const work = join(folder, `${name}.new`)
  mkdirSync(work, { recursive: true })
  const dependency = `<groupId>${group}</groupId><artifactId>${id}</artifactId><version>${version}</version>`
  const own =
    '<modelVersion>4.0.0</modelVersion><groupId>stowage</groupId><artifactId>brokers</artifactId><version>1</version>'
  const project = `<project>${own}<dependencies><dependency>${dependency}</dependency></dependencies></project>`
  writeFileSync(join(work, 'pom.xml'), project)
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(work, 'jars')}`]
  const done = run('mvn', ['-q', '-B', '-ntp', ...goal], { cwd: work })
  if (done) renameSync(join(work, 'jars'), join(folder, name))
  rmSync(work, { recursive: true, force: true })
  return done
}

/** `go install` refuses modules that replace others, as nsqd's does; a build inside the module works. */
function getNsqd() {
  const { status, stdout } = spawnSync('go', ['mod', 'download', '-json', 'github.com/nsqio/nsq@v1.3.0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (status !== 0) return false
  return run('go', ['build', '-o', join(folder, 'nsqd-1.3.0'), './apps/nsqd'], { cwd: JSON.parse(stdout).Dir })
}

mkdirSync(folder, { recursive: true })
const missing = []
for (const [name, artifact] of Object.entries(archives)) {
  if (existsSync(join(folder, name))) continue
  console.log(`Getting ${name} …`)
  if (!getArchives(name, artifact)) missing.push(`${name} (needs Java 17, Maven and Maven Central: ${artifact})`)
}
if (!existsSync(join(folder, 'nsqd-1.3.0'))) {
  console.log('Getting nsqd-1.3.0 …')
  if (!getNsqd()) missing.push('nsqd-1.3.0 (needs Go and its module proxy)')
}
const test = 'packages/object-store/src/events/java-brokers.test.ts'
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', test], {
  stdio: 'inherit',
  cwd: root,
  env: { ...process.env, STOWAGE_BROKERS: folder },
})
for (const name of missing) console.log(`Not tested, because it could not be got: ${name}`)
process.exitCode = status ?? 1
