import { createHash } from 'node:crypto'
import { assumeRole } from '@stowage/madmin'
import type { TestConsole } from '../support/console/start-console.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { BUCKETS, GROUPS, POLICIES, requestQuery, SECRET, SIGNER, USERS } from './random-texts.ts'
import type { FuzzAnswer, FuzzTarget, Sender } from './sender.ts'

/* The entities that requests are about: created before and between them, and checked afterwards. */

/** The bucket and policy that the run needs itself; no generated request names them. */
const KEPT = 'kept-by-the-run'
const ON_FUZZ_BUCKETS = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::fuzz*'] }],
}

/** Returns the target of the requests, with all callers signed in again. */
export async function openFuzzTarget(c: TestConsole): Promise<FuzzTarget> {
  const root = { accessKey: c.rootUser, secretKey: c.rootPassword }
  const user = { accessKey: SIGNER, secretKey: SECRET }
  await prepareUsers(c)
  const { credentials: session } = await assumeRole({ endpoint: c.serverUrl, credentials: user })
  const { session: ofUser = '' } = await c.signIn(user.accessKey, user.secretKey)
  return {
    store: hostAndPort(c.serverUrl),
    console: hostAndPort(c.url),
    credentials: { root, user, session },
    sessions: { root: await rootSession(c), user: ofUser },
  }
}

/** Returns a new session of root in the console. */
export async function rootSession(c: TestConsole): Promise<string> {
  const { session = '' } = await c.signIn(c.rootUser, c.rootPassword)
  return session
}

export function hostAndPort(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

/** Restores users, groups and policies to what the requests expect. */
async function prepareUsers({ madmin }: TestConsole): Promise<void> {
  for (const { accessKey } of await madmin.listUsers()) {
    if (accessKey !== SIGNER && !includesName(USERS, accessKey)) await madmin.removeUser(accessKey)
  }
  for (const name of await madmin.listGroups()) {
    const { members } = await madmin.getGroup(name)
    if (members.length > 0) await madmin.removeGroupMembers(name, members)
    await madmin.removeGroup(name)
  }
  for (const name of [SIGNER, ...USERS]) {
    await madmin.addUser(name, { secretKey: SECRET })
    await madmin.setPolicyMapping({ user: name, policies: [] })
    await madmin.revokeTokens({ user: name, fullRevoke: true })
  }
  await madmin.revokeTokens({ tokenRevokeType: 'fuzz' })
  for (const name of Object.keys(await madmin.listPolicies())) {
    const kept = name === KEPT || includesName(POLICIES, name) || name === 'writeonly' || name === 'diagnostics'
    if (!kept) await madmin.removePolicy(name)
  }
  await madmin.addPolicy(POLICIES[0], ON_FUZZ_BUCKETS)
  await madmin.addPolicy(KEPT, ON_FUZZ_BUCKETS)
  await madmin.setPolicyMapping({ user: SIGNER, policies: [KEPT] })
  await madmin.addGroupMembers(GROUPS[0], [USERS[1]])
}

function includesName(names: readonly string[], name: string): boolean {
  return names.includes(name)
}

/** Returns a request of the run itself, as root. */
function rootRequest(method: string, path: string, query = '', more: Partial<FuzzRequest> = {}): FuzzRequest {
  return { api: 's3', method, path, query, headers: {}, body: { kind: 'none' }, as: 'root', signed: 'header', ...more }
}

async function sendExpecting(sender: Sender, request: FuzzRequest, ...expected: number[]): Promise<FuzzAnswer> {
  const answer = await sender.send(request)
  if (answer && expected.includes(answer.status)) return answer
  const { method, path, query } = request
  throw new Error(`${method} ${path}?${query} was answered with ${answer?.status}: ${answer?.body.toString()}`)
}

/** Creates the buckets that requests name, and deletes those that only requests created. */
export async function prepareBuckets(sender: Sender): Promise<void> {
  const force = { headers: { 'x-minio-force-delete': 'true' } }
  for (const name of await bucketNames(sender)) {
    // A bucket with object lock cannot be deleted with force.
    if (name !== KEPT && !includesName(BUCKETS, name))
      await sendExpecting(sender, rootRequest('DELETE', `/${name}`, '', force), 204, 405)
  }
  for (const name of [KEPT, ...BUCKETS]) await sendExpecting(sender, rootRequest('PUT', `/${name}`), 200, 409)
}

async function bucketNames(sender: Sender): Promise<string[]> {
  const { body } = await sendExpecting(sender, rootRequest('GET', '/'), 200)
  return [...body.toString().matchAll(/<Bucket><Name>([^<]*)</g)].map(([, name = '']) => name)
}

/** Acknowledged objects by name: they must remain unchanged. */
export class KeptObjects {
  readonly #sums = new Map<string, string>()

  constructor(private readonly sender: Sender) {}

  get size(): number {
    return this.#sums.size
  }

  async put(name: string): Promise<void> {
    const text = `${name} `.repeat(1 + (this.#sums.size % 7) * 600)
    await sendExpecting(this.sender, rootRequest('PUT', `/${KEPT}/${name}`, '', { body: { kind: 'bytes', text } }), 200)
    this.#sums.set(name, contentDigest(Buffer.from(text)))
  }

  /** @throws Error for the first object that has changed */
  async check(): Promise<void> {
    for (const [name, sum] of this.#sums) {
      const { body } = await sendExpecting(this.sender, rootRequest('GET', `/${KEPT}/${name}`), 200)
      if (contentDigest(body) !== sum) throw new Error(`The object ${name} is not what was put.`)
    }
  }
}

function contentDigest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Returns everything that the store reports about its content, as comparable lines. */
export async function snapshot(c: TestConsole, sender: Sender): Promise<string[]> {
  const { madmin } = c
  const lines: string[] = []
  const add = (...values: unknown[]) => lines.push(JSON.stringify(values))
  for (const bucket of await bucketNames(sender)) {
    for (const part of ['policy', 'tagging', 'versioning']) {
      const { status, body } = await sendExpecting(sender, rootRequest('GET', `/${bucket}`, `${part}=`), 200, 404)
      if (status === 200) add(bucket, part, body.toString())
    }
    add(bucket, 'quota', await madmin.getBucketQuota(bucket))
    for (const kind of ['versions', 'uploads'] as const) {
      for await (const entry of listed(sender, bucket, kind)) add(bucket, kind, entry)
    }
  }
  for (const user of await madmin.listUsers()) add('user', user)
  for (const group of await madmin.listGroups()) add('group', await madmin.getGroup(group))
  for (const policy of Object.entries(await madmin.listPolicies())) add('policy', policy)
  return lines
}

/** Names of the element and of the parameter for the second part of a marker. */
const SECOND = { versions: ['VersionId', 'version-id'], uploads: ['UploadId', 'upload-id'] } as const

/** Yields the entries of a bucket's versions or uploads, as XML. */
async function* listed(sender: Sender, bucket: string, kind: keyof typeof SECOND): AsyncGenerator<string> {
  let marker: [string, string][] = []
  for (;;) {
    const query = requestQuery([[kind, ''], ['encoding-type', 'url'], ...marker])
    const text = (await sendExpecting(sender, rootRequest('GET', `/${bucket}`, query), 200)).body.toString()
    for (const [entry] of text.matchAll(/<(Version|DeleteMarker|Upload)>.*?<\/\1>/gs)) yield entry
    if (!text.includes('<IsTruncated>true<')) return
    const next = (name: string) => new RegExp(`<Next${name}Marker>([^<]*)<`).exec(text)?.[1]
    const key = decodeURIComponent((next('Key') ?? '').replaceAll('+', ' '))
    const [element, parameter] = SECOND[kind]
    const id = next(element)
    marker = [
      ['key-marker', key],
      ...(id === undefined ? [] : [[`${parameter}-marker`, id] satisfies [string, string]]),
    ]
  }
}
