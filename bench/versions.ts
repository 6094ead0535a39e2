import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { timed } from './lib/measure.ts'
import { S3 } from './lib/s3.ts'

const USAGE = `Compares this version with an older one, both built: tsx bench/versions.ts --before FOLDER [--rounds 7]

Both run at the same time and take turns. The CPU time of console and store together is what counts on a busy machine.
`
const { values } = parseArgs({ options: { before: { type: 'string' }, rounds: { type: 'string', default: '7' } } })

const CREDENTIALS = { accessKey: 'rootuser', secretKey: 'rootpassword' }
const SMALL = Buffer.alloc(1024, 'stowage ')
const OBJECTS = 2000
const SIGN_INS = 40

interface Target {
  name: string
  url: string
  s3: S3
  /** CPU time of its processes so far, in ms. */
  cpuMs(): Promise<number>
  stop(): Promise<void>
}

async function start(name: string, folder: string): Promise<Target> {
  const data = await mkdtemp(join(tmpdir(), 'stowage-versions-'))
  const child: ChildProcess = fork(join(folder, 'dist/server/main.js'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Same as `npm start`.
    execArgv: ['--max-semi-space-size=2', '--heap-growing-percent=100'],
    env: {
      PATH: process.env.PATH,
      STOWAGE_PORT: '0',
      STOWAGE_STORE_PORT: '0',
      STOWAGE_DATA: data,
      STOWAGE_ROOT_USER: CREDENTIALS.accessKey,
      STOWAGE_ROOT_PASSWORD: CREDENTIALS.secretKey,
      STOWAGE_LOG_LEVEL: 'error',
    },
  })
  const [ready] = (await once(child, 'message')) as [{ url: string; server: string }]
  const s3 = new S3(ready.server, CREDENTIALS)
  await s3.done({ method: 'PUT', path: '/bench' })
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  const pids = [child.pid as number, ...children.trim().split(' ').map(Number)]
  return {
    name,
    url: ready.url,
    s3,
    cpuMs: async () => (await Promise.all(pids.map(processCpuMs))).reduce((sum, ms) => sum + ms, 0),
    stop: async () => {
      const exit = once(child, 'exit')
      child.kill()
      await exit
      await s3.close()
      await rm(data, { recursive: true })
    },
  }
}

/** Returns user and system time of a process (ms); Linux counts in hundredths of a second. */
async function processCpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Each returns the number of its operations. */
const cases: Readonly<Record<string, (target: Target, round: number) => Promise<number>>> = {
  'put of 1 KiB, 32 clients': async ({ s3 }, round) => {
    const put = (i: number) => s3.done({ method: 'PUT', path: `/bench/${round}-${i}`, body: SMALL })
    await S3.parallel(32, OBJECTS, put)
    return OBJECTS
  },
  'get of 1 KiB, 32 clients': async ({ s3 }, round) => {
    await S3.parallel(32, OBJECTS, (i) => s3.done({ method: 'GET', path: `/bench/${round}-${i}` }))
    return OBJECTS
  },
  'sign-in': async ({ url }) => {
    for (let i = 0; i < SIGN_INS; i++) {
      const answer = await fetch(`${url}/api/v1/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(CREDENTIALS),
      })
      const text = await answer.text()
      if (answer.status !== 201) throw new Error(`sign-in: ${answer.status} ${text}`)
    }
    return SIGN_INS
  },
}

async function compareVersions(before: string, rounds: number): Promise<void> {
  const targets = [await start('before', before), await start('now', fileURLToPath(new URL('..', import.meta.url)))]
  const figures = new Map<string, { wall: number[]; cpu: number[] }>()
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(cases)) {
      for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
        const before = await target.cpuMs()
        let count = 0
        const ms = await timed(async () => {
          count = await run(target, round)
        })
        if (round === 0) continue
        const { wall, cpu } = figures.get(`${name} | ${target.name}`) ?? { wall: [], cpu: [] }
        wall.push(ms / count)
        cpu.push(((await target.cpuMs()) - before) / count)
        figures.set(`${name} | ${target.name}`, { wall, cpu })
      }
    }
  }
  console.log('| operation | version | time, ms | CPU, ms |\n|---|---|---|---|')
  for (const [name, { wall, cpu }] of figures) console.log(`| ${name} | ${spread(wall)} | ${spread(cpu)} |`)
  for (const target of targets) await target.stop()
}

/** Median (least to most). */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [median = 0, least = 0, most = 0] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)]
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`
}

if (values.before === undefined) console.log(USAGE)
else await compareVersions(values.before, Number(values.rounds))
