import { cpus, totalmem } from 'node:os'
import { formatSize } from '@stowage/contract/values/units'
import { browserCases, launch } from './lib/browser.ts'
import { ConsoleClient } from './lib/console-client.ts'
import { type BenchCase, type BenchRow, compareTargets, markdownTable } from './lib/measure.ts'
import { dropBucket, putObjects } from './lib/objects.ts'
import { S3 } from './lib/s3.ts'
import { consoleCases } from './servers/consoles.ts'
import { type BenchOptions, type NamedTarget, readOptions, USAGE } from './servers/options.ts'
import { startOwnServers } from './servers/own-servers.ts'
import { startCases } from './servers/start-up.ts'
import { prepareStore, storeCases } from './servers/stores.ts'

const options = readOptions(process.argv.slice(2))
if (options === 'help') console.log(USAGE)
else if (options.consoles.length + options.stores.length + options.starts.length > 0) await bench(options)
else {
  const own = await startOwnServers(options)
  try {
    await bench(own.options)
  } finally {
    await own.stop()
  }
}

async function bench(options: BenchOptions): Promise<void> {
  console.log(
    `${cpus().length} cores, ${formatSize(totalmem())} of memory, Node ${process.version}, ${options.runs} runs\n`,
  )
  if (options.consoles.length > 0) await benchConsoles(options)
  if (options.stores.length > 0) await benchStores(options)
  if (options.starts.length > 0) await benchStarts(options)
}

async function benchConsoles(options: BenchOptions): Promise<void> {
  const { server, listed: known, size, pids, keep } = options
  const consoles = options.consoles.map(({ name, value }) => new ConsoleClient(name, value, options))
  for (const each of consoles) await each.signIn()
  const s3 = server === undefined ? undefined : openS3(server, options)
  const listed = s3 && (await putObjects(s3, options.objects, known))
  const bucket = `bench-${Date.now().toString(36)}-transfers`
  await consoles[0]?.makeBucket(bucket)
  for (const each of consoles) await each.learn(bucket)
  const browser = await launch()
  try {
    const cases = [...consoleCases({ listed, bucket, size, pids }), ...browserCases(browser, bucket)]
    await report('console', cases, consoles, options)
  } finally {
    await browser.close()
    for (const each of consoles) await each.close()
    if (s3 && listed && !keep)
      for (const each of [listed.bucket, bucket]) if (each !== known) await dropBucket(s3, each)
    await s3?.close()
  }
}

async function benchStores(options: BenchOptions): Promise<void> {
  const stores = []
  for (const { name, value } of options.stores)
    stores.push(await prepareStore(name, openS3(value, options), options.objects))
  try {
    await report('store', storeCases(options.size), stores, options)
  } finally {
    for (const { s3, bucket, listed } of stores) {
      if (!options.keep) for (const each of [bucket, listed]) await dropBucket(s3, each)
      await s3.close()
    }
  }
}

async function benchStarts(options: BenchOptions): Promise<void> {
  const programs = options.starts.map(({ name, value }: NamedTarget) => {
    const ready = options.ready.get(name)
    if (ready === undefined) throw new Error(`--start ${name} needs --ready ${name}=URL`)
    return { name, command: value, ready }
  })
  await report('start', startCases, programs, options)
}

function openS3(endpoint: string, { user, password }: BenchOptions): S3 {
  return new S3(endpoint, { accessKey: user, secretKey: password })
}

async function report<Target extends { name: string }>(
  title: string,
  cases: readonly BenchCase<Target>[],
  targets: readonly Target[],
  { runs, only }: BenchOptions,
): Promise<void> {
  const rows: BenchRow[] = []
  for (const each of cases) {
    if (only.length > 0 && !only.some((word) => each.name.includes(word))) continue
    console.error(`${title}: ${each.name} …`)
    rows.push(await compareTargets(each, targets, runs))
  }
  console.log(
    `${markdownTable(
      title,
      targets.map(({ name }) => name),
      rows,
    )}\n`,
  )
}
