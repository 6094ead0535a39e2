import {
  DeleteBucketPolicyCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import type { AccessExplanation, Input } from '@stowage/contract'
import type { ActionName, Dialect } from '@stowage/iam-policy'
import { assumeRole } from '@stowage/madmin'
import type { SigningCredentials } from '@stowage/sigv4'
import fc from 'fast-check'
import pMap from 'p-map'
import { CallFailure, TestCaller } from '../../support/console/caller.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { ADMIN_PROBES, type AdminProbe } from './admin-probes.ts'
import { acceptedPolicy, type DecisionCase, decisionCase } from './generated-policies.ts'
import { type ProbeAnswer, ProbeSender } from './probe-sender.ts'
import { type ProbeWorld, type S3Probe, s3Probes } from './s3-probes.ts'

/*
 * The differential test of rights: for generated policies, the verdict of the store on a request of every operation is that of
 * "Can they?", of `has-permission` and of the session's pages.
 */

export interface DecisionRunOptions {
  decisions: number
  seed: number
  report?: (line: string) => void
}

export interface DecisionReport {
  decisions: number
  cases: number
  /** How often each verdict occurred; a run that only ever sees denials would show nothing. */
  allowed: number
  denied: number
  complaints: string[]
}

/** Cases that run at the same time, each in a bucket of its own. */
const LANES = 3
const CONCURRENCY = 6
const MAX_COMPLAINTS = 20
const AGENT = 'probe'
/** Every key that generated conditions use. */
const KEYS = [
  'aws:Referer',
  'aws:UserAgent',
  'aws:SourceIp',
  'aws:SecureTransport',
  'aws:CurrentTime',
  's3:prefix',
  's3:delimiter',
  's3:max-keys',
  's3:versionid',
  's3:authType',
  's3:signatureversion',
  's3:ExistingObjectTag/env',
  's3:RequestObjectTag/env',
]
/** Pages with one action: the store allows it if and only if the page is there. */
const PAGES = {
  '/dashboard': 'admin:ServerInfo',
  '/settings': 'admin:ConfigUpdate',
  '/profiling': 'admin:Profiling',
  '/heal': 'admin:Heal',
  '/trace': 'admin:ServerTrace',
  '/logs': 'admin:ConsoleLog',
} as const satisfies Record<string, ActionName>

export async function compareDecisions(c: TestTarget, options: DecisionRunOptions): Promise<DecisionReport> {
  const { capabilities } = await c.call('getSession', {})
  const dialect: Dialect = capabilities.includes('aws-policies') ? 'stowage' : 'minio-2025'
  const report: DecisionReport = { decisions: 0, cases: 0, allowed: 0, denied: 0, complaints: [] }
  const sender = new ProbeSender(c.serverUrl)
  try {
    const lanes = await Promise.all(Array.from({ length: LANES }, () => createWorld(c)))
    await Promise.all(
      lanes.map(async (world, lane) => {
        for (
          let n = lane;
          report.decisions < options.decisions && report.complaints.length < MAX_COMPLAINTS;
          n += LANES
        ) {
          const seed = options.seed * 1_000_003 + n
          const [generated] = fc.sample(decisionCase, { seed, numRuns: 1 })
          if (!generated) throw new TypeError('no case was generated')
          const before = report.decisions
          await new CaseRun({ c, dialect, sender, world, report, seed }, generated).run()
          report.cases += 1
          if (Math.floor(before / 5000) < Math.floor(report.decisions / 5000))
            options.report?.(`${report.decisions} decisions, ${report.complaints.length} complaints`)
        }
      }),
    )
  } finally {
    sender.close()
  }
  return report
}

/** Creates a versioned bucket with a tagged and an untagged object. */
export async function createWorld(c: TestTarget): Promise<ProbeWorld> {
  const bucket = await c.newBucket('decide')
  await c.s3.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } }))
  const [tagged, plain] = ['a/x', 'dir/y']
  const versions: Record<string, string> = {}
  for (const Key of [tagged, plain]) {
    const Tagging = Key === tagged ? 'env=prod' : undefined
    const put = await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x', ...(Tagging && { Tagging }) }))
    versions[Key] = put.VersionId ?? ''
  }
  return { bucket, tagged, plain, versions }
}

interface CaseContext {
  c: TestTarget
  dialect: Dialect
  sender: ProbeSender
  world: ProbeWorld
  report: DecisionReport
  seed: number
}

interface ProbeCase {
  name: string
  probe: S3Probe | AdminProbe
  questions: Question[]
}

interface Question {
  action: ActionName
  object?: string | undefined
  conditions: Record<string, string[]>
}

type Verdict = AccessExplanation['decision']

/** One case: its users and policies are created, all operations are probed, and everything is removed. */
class CaseRun {
  readonly #user: string
  readonly #group: string
  /** Undefined: unsigned requests. */
  #caller: SigningCredentials | undefined
  #subject: Input<'explainAccess'>['body']['subject'] | undefined
  #hasBucketPolicy = false
  readonly #created: (() => Promise<unknown>)[] = []

  constructor(
    private readonly context: CaseContext,
    private readonly generated: DecisionCase,
  ) {
    this.#user = context.c.freshName('decider')
    this.#group = context.c.freshName('deciders')
  }

  async run(): Promise<void> {
    try {
      await this.#create()
      const probes = this.#probes()
      const [explained, console_] = await Promise.all([this.#explainAll(probes), this.#askConsole(probes)])
      const allowedActions = new Map<ActionName, boolean>()
      for (const item of probes.toSorted((a, b) => Number(isLast(a.probe)) - Number(isLast(b.probe)))) {
        const answer = await this.#send(item)
        const store = this.#storeVerdict(item, answer)
        if (store === undefined) continue
        const { report } = this.context
        report.decisions += 1
        if (store === 'allow') report.allowed += 1
        else report.denied += 1
        const expected = explained.get(item)
        if (expected !== undefined && expected !== store)
          this.#complain(item, store, `Can they? says ${expected}`, answer)
        const permission = console_?.permissions.get(item)
        if (permission !== undefined && permission !== store)
          this.#complain(item, store, `has-permission is sure of ${permission}`, answer)
        const [question] = item.questions
        if (question && item.questions.length === 1) allowedActions.set(question.action, store === 'allow')
        if (isLast(item.probe) && store === 'allow') this.#hasBucketPolicy = false
      }
      if (console_) this.#comparePages(console_, allowedActions)
    } finally {
      for (const remove of this.#created.toReversed()) await remove()
    }
  }

  async #create(): Promise<void> {
    const { c, dialect, world } = this.context
    const { subject, user, group, own, bucket } = this.generated
    const names = { USER: subject === 'root' ? c.rootUser : this.#user, GROUP: this.#group, BUCKET: world.bucket }
    const accepted = (text: typeof own) => acceptedPolicy(text, names, dialect)
    const narrow = accepted(own)
    const bucketPolicy = acceptedPolicy(bucket, names, dialect, world.bucket)
    const secretKey = 'a secret of this run'
    if (subject === 'user' || subject === 'access-key' || subject === 'session') {
      await c.madmin.addUser(this.#user, { secretKey })
      this.#created.push(() => c.madmin.removeUser(this.#user))
      const policies: string[] = []
      for (const text of user) {
        const policy = accepted(text)
        if (policy) policies.push(await this.#addPolicy(policy))
      }
      if (policies.length > 0) await c.madmin.setPolicyMapping({ user: this.#user, policies })
      const ofGroup = accepted(group)
      if (ofGroup) {
        await c.madmin.addGroupMembers(this.#group, [this.#user])
        this.#created.push(async () => {
          await c.madmin.removeGroupMembers(this.#group, [this.#user])
          await c.madmin.removeGroup(this.#group)
        })
        await c.madmin.setPolicyMapping({ group: this.#group, policies: [await this.#addPolicy(ofGroup)] })
      }
    }
    const root = { accessKey: c.rootUser, secretKey: c.rootPassword }
    if (subject === 'user') {
      this.#caller = { accessKey: this.#user, secretKey }
      this.#subject = { type: 'user', name: this.#user }
    } else if (subject === 'access-key' || (subject === 'root' && narrow)) {
      const target = subject === 'root' ? {} : { targetUser: this.#user }
      const account = await c.madmin.addServiceAccount({ ...target, ...(narrow ? { policy: narrow } : {}) })
      this.#created.push(() => c.madmin.deleteServiceAccount(account.accessKey))
      this.#caller = account
      this.#subject = { type: 'access-key', name: account.accessKey }
    } else if (subject === 'session') {
      const credentials = { accessKey: this.#user, secretKey }
      const given = await assumeRole({ endpoint: c.serverUrl, credentials }, narrow ? { policy: narrow } : {})
      this.#caller = given.credentials
    } else if (subject === 'root') {
      this.#caller = root
      this.#subject = { type: 'user', name: c.rootUser }
    } else this.#subject = { type: 'anonymous' }
    if (bucketPolicy) {
      await c.s3.send(new PutBucketPolicyCommand({ Bucket: world.bucket, Policy: JSON.stringify(bucketPolicy) }))
      this.#hasBucketPolicy = true
      this.#created.push(async () => {
        if (this.#hasBucketPolicy) await c.s3.send(new DeleteBucketPolicyCommand({ Bucket: world.bucket }))
      })
    }
  }

  async #addPolicy(policy: object): Promise<string> {
    const { c } = this.context
    const name = c.freshName('decision')
    await c.madmin.addPolicy(name, policy)
    // A policy can be removed when nobody has it, so it goes after its holder, in reverse order.
    this.#created.unshift(() => c.madmin.removePolicy(name))
    return name
  }

  #probes(): ProbeCase[] {
    const { world, dialect } = this.context
    const found = Object.entries(s3Probes(world)).flatMap(([name, probes]) =>
      probes
        .filter(({ notOnMinio }) => dialect === 'stowage' || notOnMinio === undefined)
        .map((probe): ProbeCase => {
          const questions = probe.asks.map(({ action, object, conditions = {} }) => ({ action, object, conditions }))
          return { name, probe, questions }
        }),
    )
    if (!this.#caller) return found
    const calls = Object.entries(ADMIN_PROBES).flatMap(([name, probe]): ProbeCase[] =>
      typeof probe === 'string' || (dialect !== 'stowage' && MINIO_SKIPS.has(name))
        ? []
        : [{ name, probe, questions: [{ action: probe.action, conditions: {} }] }],
    )
    return [...found, ...calls]
  }

  /** The values of all keys for a question; an empty list: the request does not have the key. */
  #conditions({ action, conditions }: Question): Record<string, string[]> {
    const { referer } = this.generated
    const isSigned = this.#caller !== undefined
    const given: Record<string, string[]> = {
      'aws:UserAgent': [AGENT],
      'aws:Referer': referer === undefined ? [] : [referer],
      'aws:SourceIp': ['127.0.0.1'],
      'aws:SecureTransport': ['false'],
      'aws:CurrentTime': [new Date().toISOString()],
      's3:authType': isSigned && action.startsWith('s3:') ? ['REST-HEADER'] : [],
      's3:signatureversion': isSigned && action.startsWith('s3:') ? ['AWS4-HMAC-SHA256'] : [],
      ...conditions,
    }
    if (!isSigned) Object.assign(given, { 'aws:groups': [], 's3:authType': [] })
    return { ...Object.fromEntries(KEYS.map((key) => [key, []])), ...given }
  }

  async #explain(question: Question): Promise<Verdict> {
    const { c, world } = this.context
    const subject = this.#subject
    if (!subject) throw new TypeError('a session cannot be asked about')
    const { object, action } = question
    const resource = action.startsWith('s3:')
      ? { resource: object === undefined ? world.bucket : `${world.bucket}/${object}` }
      : {}
    const conditions = Object.entries(this.#conditions(question)).flatMap(([key, values]) =>
      values.length === 0 ? [{ key, value: '', absent: true }] : values.map((value) => ({ key, value })),
    )
    return (await c.call('explainAccess', { body: { subject, action, ...resource, conditions } })).decision
  }

  async #explainAll(probes: readonly ProbeCase[]): Promise<Map<ProbeCase, Verdict>> {
    if (!this.#subject) return new Map()
    const answers = await pMap(
      probes,
      async (item) => [item, strictest(await pMap(item.questions, (question) => this.#explain(question)))] as const,
      { concurrency: CONCURRENCY },
    )
    return new Map(answers)
  }

  /** What the console itself says to this caller: the sure answers of `has-permission`, and the pages. */
  async #askConsole(probes: readonly ProbeCase[]) {
    const caller = this.#caller
    if (!caller) return undefined
    const { c, world } = this.context
    const console_ = new TestCaller(c.url)
    const { accessKey, secretKey, sessionToken } = caller
    try {
      const { sessionId } = await console_.call('login', {
        body: { accessKey, secretKey, ...(sessionToken === undefined ? {} : { sts: sessionToken }) },
      })
      console_.session = sessionId
    } catch (error) {
      // Access keys with a policy of their own cannot get a session on some servers.
      if (error instanceof CallFailure && error.status === 401) return undefined
      throw error
    }
    const asked = probes.filter(({ questions }) => questions.length === 1)
    const actions = asked.map(({ questions: [question] }, n) => {
      const { action = 's3:GetObject', object, conditions = {} } = question ?? {}
      const prefix = object ?? conditions['s3:prefix']?.[0]
      const where = action.startsWith('s3:')
        ? { bucket_name: world.bucket, ...(prefix === undefined ? {} : { prefix }) }
        : {}
      return { id: String(n), action, ...where }
    })
    const [{ permissions }, { pages }] = await Promise.all([
      console_.call('hasPermission', { body: { actions } }),
      console_.call('getSession', {}),
    ])
    const sure = new Map<ProbeCase, 'allow' | 'deny'>()
    const can = new Map<ActionName, boolean>()
    for (const { id, can: may, sure: isSure } of permissions) {
      const item = asked[Number(id)]
      const [question] = item?.questions ?? []
      if (!item || !question) continue
      can.set(question.action, may)
      if (isSure) sure.set(item, may ? 'allow' : 'deny')
    }
    return { permissions: sure, can, pages: new Set<string>(pages) }
  }

  async #send({ probe }: ProbeCase): Promise<ProbeAnswer> {
    const { sender, world } = this.context
    const { referer } = this.generated
    const own = { 'user-agent': AGENT, ...(referer === undefined ? {} : { referer }) }
    if ('at' in probe) return await sender.s3(probe, world.bucket, this.#caller, own)
    if (!this.#caller) throw new TypeError('admin calls are signed')
    return await sender.admin(probe, this.#caller, own)
  }

  /** Undefined if the answer does not show the verdict. */
  #storeVerdict({ name, probe }: ProbeCase, { status, text }: ProbeAnswer): 'allow' | 'deny' | undefined {
    if (name === 'ListBuckets') {
      // A list that is filtered has only what may be listed or located; the right itself is not asked for by itself.
      return status === 403 ? 'deny' : undefined
    }
    if ('kind' in probe && probe.kind === 'delete-objects' && status === 200)
      return text.includes('<Code>AccessDenied</Code>') ? 'deny' : 'allow'
    if (status === 403) return /AccessDenied|^$/.test(text) ? 'deny' : 'allow'
    return 'allow'
  }

  #comparePages(
    { pages, can }: { pages: Set<string>; can: Map<ActionName, boolean> },
    store: Map<ActionName, boolean>,
  ) {
    for (const [page, action] of Object.entries(PAGES)) {
      const isThere = pages.has(page)
      if (store.get(action) === true && !isThere) this.#note(`${page} is hidden, but the store allows ${action}`)
      if (isThere && can.get(action) === false) this.#note(`${page} is shown, but has-permission denies ${action}`)
    }
  }

  #complain({ name, probe, questions }: ProbeCase, store: string, others: string, { status, text }: ProbeAnswer): void {
    const asked = questions.map(({ action, object = '' }) => `${action} ${object}`).join(', ')
    const { method } = probe
    this.#note(
      `${name} (${method}, ${asked}): the store answers ${status} (${store}), ${others}. ${text.slice(0, 200)}`,
    )
  }

  #note(text: string): void {
    const { report, seed, world } = this.context
    report.complaints.push(
      `case ${seed} in ${world.bucket} as ${this.#user}: ${text}\n${JSON.stringify(this.generated)}`,
    )
  }
}

const isLast = (probe: S3Probe | AdminProbe) => 'last' in probe && probe.last === true

const ORDER: readonly Verdict[] = ['deny', 'conditional', 'allow']
const strictest = (verdicts: readonly Verdict[]): Verdict => ORDER.find((one) => verdicts.includes(one)) ?? 'allow'

/** Calls that MinIO does not have, that it would not refuse before it acts, or that it answers after a while only. */
const MINIO_SKIPS: ReadonlySet<string> = new Set([
  'LifecycleStatus',
  'ListRefusedEvents',
  'ResendRefusedEvents',
  'DropRefusedEvents',
  'RetryReplication',
  'TestNotificationTarget',
  'Service',
  'SetUserStatus',
  'Profile',
  'StartProfiling',
  'DownloadProfilingData',
  'Speedtest',
  'ObjectSpeedtest',
  'ServerTrace',
  'ConsoleLog',
])
