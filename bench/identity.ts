/**
 * Measures users and policies: `CHROMIUM_PATH=… npx tsx bench/identity.ts [--peer CONSOLE_URL] [--users 10000] [--runs 5]`.
 * Needs a build. The peer is another console whose server has as many users; it is measured in turns with ours, but for the page
 * itself. Each row has its target, if the issue names one. With 10,000 users and 5 runs it takes about two minutes; to see
 * that it works: `--users 200 --runs 1`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compilePolicy, conditionValues, isAllowed, policyFromJson } from '@stowage/iam-policy'
import { openEngine } from '../packages/object-store/src/engine/open-engine.ts'
import { Iam } from '../packages/object-store/src/iam/iam.ts'
import { IdentityFinder } from '../packages/object-store/src/iam/identity-finder.ts'
import { setPolicy } from '../packages/object-store/src/iam/policies.ts'
import { launch } from './lib/browser.ts'
import { type BenchCase, type BenchRow, compareTargets, markdownTable, timed } from './lib/measure.ts'
import { startProduct } from './lib/start-product.ts'

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
    peer: { type: 'string' },
    user: { type: 'string', default: 'minioadmin' },
    password: { type: 'string', default: 'minioadmin' },
  },
})
const users = Number(values.users)
const runs = Number(values.runs)
const ROOT = { accessKey: 'rootuser', secretKey: 'rootpassword' }
const THERE = { name: 'Stowage' }

const rows: BenchRow[] = [
  await compareTargets(decisionsCase(100), [THERE], runs),
  await compareTargets(authorizationCase(10), [THERE], runs),
  await compareTargets(authorizationCase(users), [THERE], runs),
  await compareTargets(authorizationCase(users, 'after a change'), [THERE], runs),
]
console.log(markdownTable('in the program', [THERE.name], rows))
console.log(`\n${await benchConsole()}`)

/** Decisions with one policy of many statements, of which only the last one allows. */
function decisionsCase(count: number): BenchCase<typeof THERE> {
  const statements = Array.from({ length: count }, (_, i) => ({
    Effect: i % 10 === 0 ? 'Deny' : 'Allow',
    Action: ['s3:GetObject', 's3:PutObject'],
    Resource: [`arn:aws:s3:::bucket-${i}/team/*`],
    Condition: { StringNotEquals: { 'aws:username': ['eve'] } },
  }))
  const document = policyFromJson({ Version: '2012-10-17', Statement: statements })
  const access = { policies: [compilePolicy(document, { name: 'bench' })], principal: 'bob' }
  const conditions = conditionValues({ 'aws:username': ['bob'] })
  const bucket = `bucket-${count - 1}`
  return {
    name: `decisions, ${count} statements`,
    unit: 'per second',
    async run() {
      let count = 0
      const end = performance.now() + 500
      while (performance.now() < end) {
        for (let i = 0; i < 100; i++) {
          if (!isAllowed(access, { action: 's3:GetObject', bucket, object: `team/${i}`, conditions }))
            throw new Error('a decision is wrong')
        }
        count += 100
      }
      return count * 2
    },
  }
}

/**
 * Cost of a request for each of many users with one policy each: find the user, decide.
 * @param when `after a change`: a policy has just changed, so that derived data is computed again
 */
function authorizationCase(count: number, when: 'again' | 'after a change' = 'again'): BenchCase<typeof THERE> {
  const iam = new Iam({ documents: documentsWith(count), root: ROOT })
  const identifier = new IdentityFinder(iam)
  const each = () => {
    for (let i = 0; i < count; i++) {
      const { access } = identifier.find(`user-${i}`, undefined)
      if (!isAllowed(access, { action: 's3:GetObject', bucket: `bucket-${i}`, object: 'k' }))
        throw new Error('a decision is wrong')
    }
  }
  return {
    name: `authorize a request, ${count} users and policies${when === 'again' ? '' : `, ${when}`}`,
    unit: 'µs',
    async run() {
      if (when === 'after a change') await setPolicy(iam, 'policy-0', iam.policyText('policy-0') ?? '')
      // As many requests with few users as with many: one look takes less than the clock can tell.
      const rounds = Math.ceil(10_000 / count)
      const all = async () => {
        for (let round = 0; round < rounds; round++) each()
      }
      return (await timed(all)) * (1000 / count / rounds)
    },
  }
}

/** Returns users with a policy each, as documents of the store; nothing is written. */
function documentsWith(count: number) {
  const documents = [...seed(count)]
  return {
    listDocuments: (collection: string) => documents.filter((document) => document.collection === collection),
    putDocuments: async () => undefined,
  } as unknown as ConstructorParameters<typeof Iam>[0]['documents']
}

function* seed(count: number) {
  for (let i = 0; i < count; i++) {
    const Statement = [{ Effect: 'Allow', Action: ['s3:*'], Resource: [`arn:aws:s3:::bucket-${i}/*`] }]
    const record = (collection: string, name: string, value: object) => ({
      collection,
      name,
      value: JSON.stringify({ ...value, updatedAt: 0 }),
    })
    const document = JSON.stringify({ Version: '2012-10-17', Statement })
    yield record('iam-users', `user-${i}`, { secretKey: 'a long enough secret', status: 'enabled' })
    yield record('iam-policies', `policy-${i}`, { document, createdAt: 0 })
    yield record('iam-user-policies', `user-${i}`, { policies: [`policy-${i}`] })
  }
}

/** Measures calls of the console with a store that has this many users. */
async function benchConsole(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'stowage-bench-'))
  try {
    // Written directly: one call per user would take an hour of key derivation.
    const drives = [1, 2, 3, 4].map((n) => join(data, 'drives', String(n)))
    const engine = await openEngine({ data, drives, minFree: 0 })
    await engine.putDocuments([...seed(users)])
    await engine.close()
    await using own = await startProduct({ data })
    const targets = [await target('Stowage', own.url, own.rootUser, own.rootPassword)]
    if (values.peer) targets.push(await target('peer', values.peer, values.user, values.password))
    const get = (path: string): BenchCase<(typeof targets)[number]> => ({
      name: `GET ${path}, ${users} users${path === 'users' ? ' (target: a tenth of the peer)' : ''}`,
      unit: 'ms',
      run: async ({ get }) => await timed(() => get(path)),
    })
    const signIn = {
      name: 'sign in',
      unit: 'ms',
      run: async ({ signIn }: (typeof targets)[number]) => await timed(signIn),
    }
    const figures = [
      await compareTargets(get('users'), targets, runs),
      await compareTargets(get('session'), targets, runs),
    ]
    figures.push(await compareTargets(signIn, targets, runs))
    const overHttp = markdownTable(
      'over HTTP',
      targets.map(({ name }) => name),
      figures,
    )
    // Printed first, so that a browser that does not start loses nothing.
    console.log(`\n${overHttp}`)
    return await benchPage(own.url, { accessKey: own.rootUser, secretKey: own.rootPassword })
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** Measures the users page in a browser: until its rows are there, a filter that leaves one user, and the reverse order. */
async function benchPage(url: string, keys: { accessKey: string; secretKey: string }): Promise<string> {
  const browser = await launch()
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    // Like a page: a script would get a cookie that the browser cannot use.
    await context.request.post(`${url}/api/v1/login`, { headers: { origin: url }, data: keys })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const user = (name: string) => page.getByText(name, { exact: true }).first()
    const open = () => page.goto(`${url}/users`, { waitUntil: 'commit' }).then(() => user('user-0').waitFor())
    const names = Array.from({ length: users }, (_, n) => `user-${n}`).toSorted()
    const wanted = names[Math.floor(users / 2)] ?? ''
    const cases: BenchCase<typeof THERE>[] = [
      { name: `users page until its rows are there, ${users} users`, unit: 'ms', run: () => timed(open) },
      {
        name: 'filter that leaves few users',
        unit: 'ms',
        async run() {
          await open()
          return await timed(async () => {
            await page.getByPlaceholder('Search Users').fill(wanted)
            await user('user-0').waitFor({ state: 'detached' })
            await user(wanted).waitFor()
          })
        },
      },
      {
        name: 'reverse order of the names',
        unit: 'ms',
        async run() {
          await open()
          const name = page.getByRole('columnheader', { name: 'Access Key' }).getByRole('button')
          const sorted = page
            .getByRole('columnheader', { name: 'Access Key' })
            .and(page.locator('[aria-sort=ascending]'))
          if ((await sorted.count()) === 0) await name.click()
          return await timed(async () => {
            await name.click()
            await user('user-0').waitFor({ state: 'detached' })
          })
        },
      },
    ]
    const figures: BenchRow[] = []
    for (const each of cases) figures.push(await compareTargets(each, [THERE], runs))
    return markdownTable('in a browser', [THERE.name], figures)
  } finally {
    await browser.close()
  }
}

async function target(name: string, url: string, accessKey: string, secretKey: string) {
  let cookie = ''
  const signIn = async () => {
    const response = await fetch(`${url}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ accessKey, secretKey }),
    })
    if (!response.ok) throw new Error(`${name}: sign-in answered ${response.status}`)
    cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    const { sessionId } = JSON.parse((await response.text()) || '{}') as { sessionId?: string }
    if (cookie === '') cookie = `token=${sessionId}`
  }
  await signIn()
  return {
    name,
    signIn,
    async get(path: string) {
      const response = await fetch(`${url}/api/v1/${path}`, { headers: { cookie } })
      if (!response.ok) throw new Error(`${name}: ${path} answered ${response.status}`)
      await response.arrayBuffer()
    },
  }
}
