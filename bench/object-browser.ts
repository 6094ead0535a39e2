/**
 * Measures the object browser: `node scripts/build.mjs && npx tsx bench/object-browser.ts [--objects 1000000] [--runs 3]
 * [--only zip,browser]`. It takes about three minutes with its own sizes. The sizes of issue 13 are
 * `--objects 1000000 --zip 10000 --jobs 10000 --versions 100000 --folders 50000 --large 10GiB --size 1GiB`.
 * `--mc FILE` is MinIO's client, whose copies and deletions are measured on the same store. `--server URL --user U --password P` is
 * another storage server, measured in the same way instead of the embedded store. Needs Chromium (`CHROMIUM_PATH`).
 */
import { execFile } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { KiB, MiB } from '@stowage/contract/values/units'
import type { Page } from 'playwright-core'
import { launch } from './lib/browser.ts'
import { summarizeFigures, timed } from './lib/measure.ts'
import { withPeakMemory } from './lib/memory.ts'
import { noise, S3 } from './lib/s3.ts'
import { startProduct } from './lib/start-product.ts'
import { parseSizeOption } from './servers/options.ts'

const run = promisify(execFile)
const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '50000' },
    zip: { type: 'string', default: '5000' },
    jobs: { type: 'string', default: '2000' },
    versions: { type: 'string', default: '5000' },
    folders: { type: 'string', default: '5000' },
    large: { type: 'string', default: '512MiB' },
    size: { type: 'string', default: '256MiB' },
    runs: { type: 'string', default: '3' },
    mc: { type: 'string' },
    only: { type: 'string' },
    server: { type: 'string' },
    user: { type: 'string', default: 'minioadmin' },
    password: { type: 'string', default: 'minioadmin' },
  },
})
const count = Number(values.objects)
const zipCount = Number(values.zip)
const jobCount = Number(values.jobs)
const versionCount = Number(values.versions)
const folderCount = Number(values.folders)
const largeSize = parseSizeOption(values.large)
const runs = Number(values.runs)
const size = parseSizeOption(values.size)
const SMALL = Buffer.from('stowage')
const CLIENTS = 32
/** Calls before those that count: the first ones are slower, because their code is not compiled yet. */
const WARM_UP = 10

interface Figure {
  name: string
  unit: string
  /** What issue 13 and design.md ask for. */
  target: string
  figures: number[]
}
const rows: Figure[] = []
const note = (name: string, unit: string, target: string, figures: number[]) => {
  rows.push({ name, unit, target, figures })
  console.error(`${name}: ${summarizeFigures(figures)} ${unit}`)
}

const env = values.server === undefined ? {} : { STOWAGE_SERVER: values.server }
await using own = await startProduct({ env })
const credentials =
  values.server === undefined
    ? { accessKey: own.rootUser, secretKey: own.rootPassword }
    : { accessKey: values.user, secretKey: values.password }
const server = values.server ?? own.serverUrl
const s3 = new S3(server, credentials)
const caller = values.server === undefined ? own.root : await own.signIn(credentials.accessKey, credentials.secretKey)
const bucket = `bench-${Date.now().toString(36)}`
const params = { bucket }
await s3.done({ method: 'PUT', path: `/${bucket}` })

const key = (prefix: string, i: number) => `${prefix}object-${String(i).padStart(7, '0')}`
const fill = (prefix: string, objects: number) =>
  S3.parallel(CLIENTS, objects, (i) => s3.done({ method: 'PUT', path: `/${bucket}/${key(prefix, i)}`, body: SMALL }))
const several = async (work: (round: number) => Promise<number>, warmUp = 0) => {
  const figures: number[] = []
  for (let round = 0; round < warmUp; round++) await work(-1 - round)
  for (let round = 0; round < runs; round++) figures.push(await work(round))
  return figures
}
const seconds = async (work: () => Promise<unknown>) => (await timed(work)) / 1000
/** Reads a whole answer. @throws Error unless it is a success */
async function whole(answer: Promise<Response>): Promise<Buffer> {
  const response = await answer
  const body = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${response.status} ${body.toString().slice(0, 300)}`)
  return body
}

/** Reads a whole answer and keeps nothing. @throws Error unless it is a success */
async function discarded(answer: Promise<Response>): Promise<void> {
  const response = await answer
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`)
  for await (const _ of response.body);
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  listing: measureCalls,
  versions: measureVersions,
  folders: measureFolders,
  zip: measureZip,
  jobs: measureJobs,
  browser: measureBrowser,
}

try {
  await measureAll()
} finally {
  await drop(bucket)
  await s3.close()
}
console.log(`| objects | unit | target | ${values.server ?? 'embedded store'} |\n|---|---|---|---|`)
for (const { name, unit, target, figures } of rows)
  console.log(`| ${name} | ${unit} | ${target} | ${summarizeFigures(figures)} |`)

async function measureAll(): Promise<void> {
  const took = await seconds(() => fill('many/', count))
  note(`puts of 7 bytes, ${CLIENTS} clients, into one folder`, '1/s', '–', [count / took])
  const only = values.only?.split(',')
  for (const [name, work] of Object.entries(PARTS)) if (only?.includes(name) ?? true) await inMemory(name, work)
}

async function inMemory(what: string, work: () => Promise<void>): Promise<void> {
  const { peak } = await withPeakMemory(own.pid, work)
  note(`peak memory of the console, ${what}`, 'MiB', '< 200', [peak])
}

async function measureCalls(): Promise<void> {
  const page = (query: object) =>
    timed(() => whole(caller.send('listObjects', { params, query: { prefix: 'many/', ...query } as never })))
  note(`first page (250) of ${count}`, 'ms', '≤ 15', await several(() => page({ limit: 250 }), WARM_UP))
  const middle = key('many/', Math.floor(count / 2))
  note(
    'page of 1,000 in the middle',
    'ms',
    '≤ 15',
    await several(() => page({ limit: 1000, start_after: middle }), WARM_UP),
  )
  const search = { name: `*${String(count - 1).padStart(7, '0')}`, limit: 1000 }
  const took = await several(() => seconds(() => whole(caller.send('searchObjects', { params, query: search }))))
  note(`search of ${count} keys by name`, 's', '–', took)
}

/** One key with many versions, in a bucket of its own. */
async function measureVersions(): Promise<void> {
  const versioned = `${bucket}-versions`
  await s3.done({ method: 'PUT', path: `/${versioned}` })
  try {
    await caller.call('setBucketVersioning', { params: { bucket: versioned }, body: { versioning: true } })
    await S3.parallel(CLIENTS, versionCount, () => s3.done({ method: 'PUT', path: `/${versioned}/log`, body: SMALL }))
    const of = { params: { bucket: versioned } }
    const page = (query: object) =>
      timed(() =>
        whole(
          caller.send('listObjects', { ...of, query: { prefix: 'log', with_versions: 'true', ...query } as never }),
        ),
      )
    note(
      `first page (250) of ${versionCount} versions of a key`,
      'ms',
      '≤ 15',
      await several(() => page({ limit: 250 }), WARM_UP),
    )
    note(`all ${versionCount} versions`, 'ms', '–', await several(() => page({})))
    const remove = { path: 'log', non_current_versions: 'true' }
    const took = await seconds(() => whole(caller.send('deleteObject', { ...of, query: remove as never })))
    note(`delete ${versionCount - 1} noncurrent versions`, 'versions/s', '–', [(versionCount - 1) / took])
  } finally {
    await drop(versioned)
  }
}

async function measureFolders(): Promise<void> {
  const folder = (i: number) => `/${bucket}/${key('folders/', i)}/`
  await S3.parallel(CLIENTS, folderCount, (i) => s3.done({ method: 'PUT', path: folder(i), body: Buffer.alloc(0) }))
  const page = (query: object) =>
    timed(() => whole(caller.send('listObjects', { params, query: { prefix: 'folders/', ...query } as never })))
  note(
    `first page (250) of ${folderCount} empty folders`,
    'ms',
    '≤ 15',
    await several(() => page({ limit: 250 }), WARM_UP),
  )
  note(`all ${folderCount} empty folders`, 'ms', '–', await several(() => page({})))
}

async function measureZip(): Promise<void> {
  await fill('zip/', zipCount)
  const query = { prefix: 'zip/' }
  const zip = () => seconds(() => whole(caller.send('downloadObject', { params, query })))
  note(`zip of ${zipCount} small objects`, 's', `< ${((zipCount * 35) / 60_000).toFixed(1)}`, await several(zip))
  await s3.done({ method: 'PUT', path: `/${bucket}/zip-large/one`, body: () => noise(largeSize), length: largeSize })
  const large = { prefix: 'zip-large/' }
  const rate = async () =>
    largeSize / MiB / (await seconds(() => discarded(caller.send('downloadObject', { params, query: large }))))
  note(`zip of one object of ${largeSize / MiB} MiB`, 'MiB/s', '–', await several(rate))
}

async function measureJobs(): Promise<void> {
  const perSecond = (work: (round: number) => Promise<unknown>) =>
    several(async (round) => jobCount / (await seconds(() => work(round))))
  await fill('from/', jobCount)
  const lines = { headers: { accept: 'application/x-ndjson' } }
  const done = async (answer: Promise<Response>) => {
    const report = JSON.parse((await whole(answer)).toString().trim().split('\n').at(-1) ?? '{}') as Report
    if (report.done !== true || report.failed !== 0 || (report.count ?? report.deleted) !== jobCount)
      throw new Error(`a job did not finish: ${JSON.stringify(report).slice(0, 300)}`)
  }
  const copy = (to: string) => ({ target_bucket: bucket, entries: [{ from: 'from/', to }] })
  const target = values.mc === undefined ? '–' : 'not below mc'
  const copies = await perSecond((i) =>
    done(caller.send('copyObjects', { params, body: copy(`to-${i}/`) as never }, lines)),
  )
  note(`copy job, ${jobCount} objects`, 'objects/s', target, copies)
  const deletions = await perSecond((i) =>
    done(caller.send('deleteObjects', { params, body: [{ path: `to-${i}/`, recursive: true }] as never }, lines)),
  )
  note(`delete job, ${jobCount} objects`, 'objects/s', target, deletions)
  if (values.mc === undefined) return
  const { host } = new URL(server)
  const alias = `http://${credentials.accessKey}:${credentials.secretKey}@${host}`
  const mc = (...args: string[]) =>
    run(values.mc ?? 'mc', args, { env: { ...process.env, MC_HOST_bench: alias }, maxBuffer: 1 << 28 })
  const at = (prefix: string) => `bench/${bucket}/${prefix}`
  note(
    `mc cp --recursive, ${jobCount} objects`,
    'objects/s',
    '–',
    await perSecond((i) => mc('--quiet', 'cp', '--recursive', at('from/'), at(`mc-${i}/`))),
  )
  note(
    `mc rm --recursive, ${jobCount} objects`,
    'objects/s',
    '–',
    await perSecond((i) => mc('--quiet', 'rm', '--recursive', '--force', at(`mc-${i}/`))),
  )
}

interface Report {
  done?: boolean
  count?: number
  deleted?: number
  failed?: number
}

async function measureBrowser(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-'))
  const browser = await launch()
  try {
    const context = await browser.newContext({ baseURL: `${own.url}/`, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await page.goto('login')
    await page.getByLabel('Enter Username').fill(credentials.accessKey)
    await page.getByLabel('Enter Password', { exact: true }).fill(credentials.secretKey)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.pathname.endsWith('/login'))
    const tableRows = page.getByRole('table', { name: 'Objects' }).locator('tbody tr[data-index]')
    const firstRows = async () => {
      await page.goto('about:blank')
      return await timed(async () => {
        await page.goto(`object-browser/${bucket}/many/`, { waitUntil: 'commit' })
        await tableRows.first().waitFor()
      })
    }
    note(`first rows of a folder of ${count}`, 'ms', '≤ 0.42 of the fastest peer', await several(firstRows))
    const frames = await scroll(page)
    note('frame while scrolling, median', 'ms', '≤ 17', [at(frames, 0.5)])
    note('frame while scrolling, 99 of 100', 'ms', '≤ 50', [at(frames, 0.99)])
    note('memory of the tab after scrolling', 'MiB', '–', [await heap(page)])

    const path = join(folder, 'large.bin')
    const file = await open(path, 'w')
    for await (const chunk of noise(size)) await file.write(chunk)
    await file.close()
    const upload = async (round: number) => {
      await page.goto(`object-browser/${bucket}/upload-${round}/`)
      await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
      const item = page.getByRole('menuitem', { name: 'Upload Files' })
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), item.click()])
      return await seconds(async () => {
        await chooser.setFiles(path)
        await page.getByText('Object uploaded successfully.').waitFor({ timeout: 600_000 })
      })
    }
    note(`upload of ${size / MiB} MiB by the page`, 's', 'within 10 % of the fastest peer', await several(upload))
    note('memory of the tab after uploads', 'MiB', '–', [await heap(page)])
    note('memory of the store', 'MiB', '–', await storeMemory())
    await context.close()
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Scrolls by wheel-sized steps, one in each frame, and returns the durations of the frames in ms. */
async function scroll(page: Page): Promise<number[]> {
  // An expression: tsx adds names to the functions in a function, and the page does not have its helper for them.
  return await page.evaluate(`new Promise((resolve) => {
      const box = document.querySelector('tbody tr[data-index]').closest('table').parentElement
      const times = []
      let last = performance.now()
      requestAnimationFrame(function step(now) {
        times.push(now - last)
        last = now
        box.scrollBy(0, 400)
        if (times.length < 600) requestAnimationFrame(step)
        else resolve(times.slice(1))
      })
    })`)
}

function at(figures: readonly number[], share: number): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length * share)] ?? 0
}

async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / MiB
}

/** Returns the resident memory of the embedded store, a child of the console. */
async function storeMemory(): Promise<number[]> {
  const children = await readFile(`/proc/${own.pid}/task/${own.pid}/children`, 'utf8')
  const [pid] = children.trim().split(' ')
  if (!pid) return []
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return [(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * KiB) / MiB]
}

async function drop(name: string): Promise<void> {
  const headers = { 'x-minio-force-delete': 'true' }
  await s3.done({ method: 'DELETE', path: `/${name}`, headers }).catch((error: unknown) => console.error(String(error)))
}
