import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { afterAll, expect, inject, test } from 'vitest'
import { Normalizer } from './normalize.ts'

const target = inject('kube')
const recording = process.env.STOWAGE_RECORD_KUBE !== undefined && target.kind === 'judge'
const agent = new Agent({ connect: { ca: target.ca } })
const file = join(
  fileURLToPath(new URL('../recorded/', import.meta.url)),
  `${basename(expect.getState().testPath ?? '', '.test.ts')}.json`,
)

/** Answers of the reference server by scenario; `version` is that server's. */
interface Recording {
  version: string
  scenarios: Record<string, Step[]>
}

interface Step {
  step: string
  [part: string]: unknown
}

const recorded: Recording = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { version: '', scenarios: {} }
const made: Recording = { version: '', scenarios: {} }

afterAll(async () => {
  if (recording && Object.keys(made.scenarios).length > 0) {
    const { body } = await request(`${target.server}/version`, { dispatcher: agent })
    made.version = ((await body.json()) as { gitVersion: string }).gitVersion
    // Keep the recordings of scenarios that did not run, for instance with -t.
    const scenarios = { ...recorded.scenarios, ...made.scenarios }
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, `${JSON.stringify({ version: made.version, scenarios }, null, 1)}\n`)
  }
  // Closes watches that a failed scenario left open.
  await agent.destroy()
})

export interface ApiSendOptions {
  /** Default: the administrator's token; empty: no credentials. */
  token?: string
  headers?: Record<string, string>
  /** Sent unchanged, instead of JSON. */
  raw?: string
}

export interface StepOptions extends ApiSendOptions {
  /** Takes from the body what is compared, where servers differ by nature: lists of kinds, for instance. */
  // biome-ignore lint/suspicious/noExplicitAny: any body of the API
  pick?: (body: any) => unknown
}

export interface ApiAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: any body of the API
  body: any
}

/** What scenarios use: calls that are recorded and compared (`step`, `watch`), and calls that are not. */
export class Api {
  readonly normalizer = new Normalizer()
  readonly #steps: Step[] = []
  readonly #cleanups: (() => Promise<unknown>)[] = []

  constructor(readonly title: string) {}

  /** Returns a name that no other scenario uses; comparisons show it as `<base>`. */
  unique(base: string): string {
    const name = `${base}-${randomBytes(4).toString('hex')}`
    this.normalizer.mask(name, `<${base}>`)
    return name
  }

  /** Creates a namespace for this scenario, with the objects that controllers add. */
  async namespace(base = 'namespace'): Promise<string> {
    const name = this.unique(base)
    await this.must('POST', '/api/v1/namespaces', { metadata: { name } })
    this.atEnd('DELETE', `/api/v1/namespaces/${name}`)
    await this.until(`/api/v1/namespaces/${name}/serviceaccounts/default`, ({ status }) => status === 200)
    return name
  }

  /** Registers a call that cleans up what the scenario created outside its namespaces. */
  atEnd(method: string, path: string, body?: object): void {
    this.#cleanups.unshift(() => this.send(method, path, body))
  }

  async send(method: string, path: string, body?: unknown, options: ApiSendOptions = {}): Promise<ApiAnswer> {
    const { token = target.token, raw, headers } = options
    const answer = await request(target.server + path, {
      dispatcher: agent,
      method: method as 'GET',
      headers: {
        accept: 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    return { status: answer.statusCode, headers: answer.headers, body: parsed(await answer.body.text()) }
  }

  /** Sends a preparing call that must succeed; returns the body. */
  async must(method: string, path: string, body?: unknown, options: ApiSendOptions = {}): Promise<ApiAnswer['body']> {
    const answer = await this.send(method, path, body, options)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** Sends a call whose answer is compared with the judge's. */
  async step(
    step: string,
    method: string,
    path: string,
    body?: unknown,
    options: StepOptions = {},
  ): Promise<ApiAnswer> {
    const answer = await this.send(method, path, body, options)
    this.#note({
      step,
      status: answer.status,
      type: String(answer.headers['content-type']).split(';')[0],
      ...(answer.headers.warning === undefined ? {} : { warning: this.normalizer.value(answer.headers.warning) }),
      body: this.normalizer.value(options.pick ? options.pick(answer.body) : answer.body),
    })
    return answer
  }

  /** Compares a value computed by the scenario. */
  note(step: string, value: unknown): void {
    this.#note({ step, value: this.normalizer.value(value) })
  }

  /** Repeats a request until the answer matches, because controllers need time. */
  async until(path: string, fits: (answer: ApiAnswer) => boolean): Promise<ApiAnswer> {
    const deadline = Date.now() + 30_000
    for (;;) {
      const answer = await this.send('GET', path)
      if (fits(answer)) return answer
      if (Date.now() > deadline) throw new Error(`${path} stays ${answer.status} ${JSON.stringify(answer.body)}`)
      await sleep(20)
    }
  }

  /** Opens a watch, and compares its first events after `count` of them, or when the server ends it. */
  async watch(step: string, path: string, count: number, meanwhile: () => Promise<unknown> = async () => {}) {
    const end = new AbortController()
    const answer = await request(target.server + path, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${target.token}`, accept: 'application/json' },
      signal: end.signal,
    })
    const events: { type: string; object: unknown }[] = []
    const reading = (async () => {
      let text = ''
      for await (const chunk of answer.body) {
        text += chunk
        const lines = text.split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) events.push(JSON.parse(line))
        if (events.length >= count) break
      }
    })()
    try {
      await meanwhile()
      await Promise.race([reading, sleep(20_000, undefined, { signal: end.signal })])
    } finally {
      end.abort()
      await reading.catch(() => {})
    }
    this.#note({
      step,
      status: answer.statusCode,
      type: String(answer.headers['content-type']).split(';')[0],
      events: this.normalizer.value(events.slice(0, count)),
    })
    return events
  }

  #note(plain: Step): void {
    const noted = { ...plain, step: this.normalizer.text(plain.step) }
    const expected = recorded.scenarios[this.title]?.[this.#steps.length]
    this.#steps.push(noted)
    if (recording) return
    if (!expected) throw new Error(`Not recorded: ${noted.step}. Run npm run test:kube -- --record.`)
    // Other releases have other messages; compare the parts that clients use.
    if (target.kind === 'cluster') expect(essence(noted)).toEqual(essence(expected))
    else expect(noted).toEqual(expected)
  }

  async finish(failed: boolean): Promise<void> {
    if (recording) made.scenarios[this.title] = this.#steps
    else if (!failed) expect(this.#steps.length).toBe(recorded.scenarios[this.title]?.length)
    for (const cleanup of this.#cleanups) await cleanup()
  }
}

function essence({ step, status, body }: Step): unknown {
  return { step, status, reason: (body as { reason?: string } | undefined)?.reason }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Plain text, such as logs and early errors.
    return text
  }
}

/** Defines a test whose expected answers are recorded from the judge, and compared on every other server. */
export function scenario(title: string, run: (api: Api) => Promise<void>): void {
  test(title, async () => {
    const api = new Api(title)
    let failed = true
    try {
      await run(api)
      failed = false
    } finally {
      await api.finish(failed)
    }
  })
}

export const targetIsSandbox = target.kind === 'sandbox'
export { target }
