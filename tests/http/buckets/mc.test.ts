import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

/* MinIO's client against the embedded store, if its program is set: STOWAGE_TEST_MC=/path/to/mc. */

const mc = process.env.STOWAGE_TEST_MC
/** A command, and what its output must have. `B`, `L` and `V` are a plain, a locked and a versioned bucket, `T` the other store. */
type Step = [command: string, output?: RegExp]

const subjects: Record<string, Step[]> = {
  event: [
    ['event add s/B arn:minio:sqs::HOOK:webhook --event put,delete --prefix a/ --suffix .txt'],
    [
      'event list s/B',
      /HOOK:webhook\s+s3:ObjectCreated:\*,s3:ObjectRemoved:\*\s+Filter: prefix="a\/",?\s*suffix=".txt"/,
    ],
    ['event remove s/B arn:minio:sqs::HOOK:webhook --event put,delete --prefix a/ --suffix .txt'],
    ['event list s/B', /^$/],
  ],
  encrypt: [['encrypt set sse-s3 s/B'], ['encrypt info s/B', /sse-s3/i], ['encrypt clear s/B']],
  retention: [
    ['retention set --default governance 3d s/L'],
    ['retention info --default s/L', /GOVERNANCE/],
    ['retention clear --default s/L'],
    ['retention set governance 1d s/L/object'],
    ['retention info s/L/object', /GOVERNANCE/],
    ['retention clear s/L/object'],
    ['retention info s/L/object', /NO RETENTION/i],
  ],
  legalhold: [
    ['legalhold set s/L/object'],
    ['legalhold info s/L/object', /ON/],
    ['legalhold clear s/L/object'],
    ['legalhold info s/L/object', /OFF/],
  ],
  anonymous: [
    ['anonymous set download s/B/docs'],
    ['anonymous get s/B/docs', /download/],
    ['anonymous list s/B', /B\/docs\* => readonly/],
    ['anonymous set private s/B/docs'],
    ['anonymous list s/B', /^$/],
  ],
  tag: [
    ['tag set s/B a=1&b=2'],
    ['tag list s/B', /a\s*:\s*1\s+b\s*:\s*2/],
    ['tag remove s/B'],
    ['tag set s/V/object k=v'],
    ['tag list s/V/object', /k\s*:\s*v/],
  ],
  cors: [['cors set s/B CORS'], ['cors get s/B', /https:\/\/app\.example/], ['cors remove s/B']],
  quota: [['quota set s/B --size 10MiB'], ['quota info s/B', /10 MiB/], ['quota clear s/B']],
  version: [
    ['version enable s/B'],
    ['version info s/B', /enabled/],
    ['version suspend s/B'],
    ['version info s/B', /suspended/],
  ],
  'ilm rule': [
    ['ilm rule add s/V --prefix tmp/ --tags k=v --expire-days 7 --noncurrent-expire-days 3'],
    ['ilm rule add s/V --prefix old/ --expire-delete-marker'],
    ['ilm rule list s/V', /tmp\/[\s\S]*old\//],
    ['ilm rule export s/V', /"Days":7/],
    ['ilm rule remove s/V --all --force'],
  ],
  'ilm tier': [
    ['ilm tier add minio s COLD --endpoint T --access-key USER --secret-key PASSWORD --bucket cold --prefix p/'],
    ['ilm tier list s', /COLD/],
    ['ilm tier check s COLD'],
    ['ilm tier info s COLD', /COLD/],
    ['ilm tier update s COLD --access-key USER --secret-key PASSWORD'],
    ['ilm rule add s/V --prefix moved/ --transition-days 0 --transition-tier COLD'],
    ['ilm rule list s/V', /COLD/],
    ['ilm rule remove s/V --all --force'],
    ['ilm tier remove s COLD'],
  ],
  replicate: [
    [
      'replicate add s/V --remote-bucket REMOTE/copy --id r1 --priority 1 --replicate delete,delete-marker,existing-objects',
    ],
    ['replicate list s/V', /copy/],
    ['replicate export s/V', /"Priority":1/],
    ['replicate update s/V --id r1 --priority 3 --remote-bucket REMOTE/copy --bandwidth 1G'],
    ['replicate export s/V', /"Priority":3/],
    ['replicate status s/V', /copy|Replicated/i],
    ['replicate backlog --json s/V'],
    ['replicate diff --json s/V'],
    ['replicate remove s/V --all --force'],
  ],
}

describe.skipIf(mc === undefined)('the commands of mc work', () => {
  let here: TestConsole
  let there: TestConsole
  let folder: string
  let buckets: { B: string; L: string; V: string }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stowage-mc-'))
    const env = { STOWAGE_SERVER: '', STOWAGE_EGRESS_ALLOW: '127.0.0.1' }
    const hook = { MINIO_NOTIFY_WEBHOOK_ENABLE_HOOK: 'on', MINIO_NOTIFY_WEBHOOK_ENDPOINT_HOOK: 'http://127.0.0.1:9/' }
    ;[here, there] = await Promise.all([startConsole({ env: { ...env, ...hook } }), startConsole({ env })])
    buckets = { B: await here.newBucket('mc'), L: here.freshName('mc'), V: await here.newBucket('mc') }
    await here.s3.send(new CreateBucketCommand({ Bucket: buckets.L, ObjectLockEnabledForBucket: true }))
    await here.call('setBucketVersioning', { params: { bucket: buckets.V }, body: { versioning: true } })
    for (const bucket of [buckets.L, buckets.V])
      await here.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'object', Body: 'x' }))
    for (const name of ['copy', 'cold'])
      await there.call('createBucket', { body: { name, versioning: name === 'copy' } })
    const rule = '<AllowedOrigin>https://app.example</AllowedOrigin><AllowedMethod>GET</AllowedMethod>'
    const cors = `<CORSConfiguration><CORSRule>${rule}</CORSRule></CORSConfiguration>`
    await writeFile(join(folder, 'cors.xml'), cors)
  })
  afterAll(async () => {
    await Promise.all([here, there].map((c) => c?.[Symbol.asyncDispose]()))
    await rm(folder, { recursive: true, force: true })
  })

  const urlWithCredentials = ({ serverUrl, rootUser, rootPassword }: TestConsole) =>
    serverUrl.replace('://', `://${rootUser}:${rootPassword}@`)
  const withNames = (word: string) =>
    word
      .replace(/^s\/([BLV])/, (_, name: 'B') => `s/${buckets[name]}`)
      .replace(/^T$/, there.serverUrl)
      .replace(/^USER$/, there.rootUser)
      .replace(/^PASSWORD$/, there.rootPassword)
      .replace(/^REMOTE/, urlWithCredentials(there))
      .replace(/^CORS$/, join(folder, 'cors.xml'))

  test.each(Object.entries(subjects))('%s', async (_, steps) => {
    const env = { PATH: process.env.PATH, HOME: folder, MC_HOST_s: urlWithCredentials(here) }
    for (const [command, output] of steps) {
      const args = ['--config-dir', folder, '--no-color', ...command.split(' ').map(withNames)]
      const { stdout } = await promisify(execFile)(mc ?? '', args, { env })
      const shown = stdout.trim().replaceAll(buckets.B, 'B')
      if (output) expect([command, shown]).toEqual([command, expect.stringMatching(output)])
    }
  })
})
