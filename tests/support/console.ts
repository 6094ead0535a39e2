import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { S3Client } from '@aws-sdk/client-s3'
import type { Input, Operation, Output } from '@stowage/contract'
import { Caller, type CallOptions } from './caller.ts'

const main = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))

/** A running console in front of a store, and what a test needs to use both. */
export interface TestConsole extends AsyncDisposable {
  /** The console, without a slash at the end. */
  url: string
  /** The storage server behind it. */
  serverUrl: string
  rootUser: string
  rootPassword: string
  /** Whether the storage server is our embedded store, and not one named in the environment. */
  embedded: boolean
  /** A caller signed in as root. */
  root: Caller
  call<O extends Operation>(operation: O, input: Input<O>, options?: CallOptions): Promise<Output<O>>
  /** A caller that is not signed in. */
  anonymous(): Caller
  signIn(accessKey: string, secretKey: string): Promise<Caller>
  /** The storage server itself, as its root. */
  s3: S3Client
  /** A fresh bucket, by S3. */
  newBucket(prefix?: string): Promise<string>
  /** Process id of the console. */
  pid: number
  /** Data folder of the embedded store. */
  data: string
  /** Everything that the console and its store wrote so far. */
  output(): string
  /** Ends the console as Ctrl-C does and resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface StartOptions {
  env?: Record<string, string>
  /** An existing data folder; otherwise a fresh one that is removed at the end. */
  data?: string
}

/** What the console sends to the process that started it. */
interface ReadyMessage {
  type: 'ready'
  url: string
  server: string
  user?: string
  password?: string
}

/**
 * Starts the built console on free ports with a store of its own, or in front of the server that `STOWAGE_TEST_SERVER`,
 * `STOWAGE_TEST_USER` and `STOWAGE_TEST_PASSWORD` name.
 */
export async function startConsole(options: StartOptions = {}): Promise<TestConsole> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'stowage-test-')))
  const target = options.env?.STOWAGE_SERVER ?? process.env.STOWAGE_TEST_SERVER
  const user = process.env.STOWAGE_TEST_USER ?? 'rootuser'
  const password = process.env.STOWAGE_TEST_PASSWORD ?? 'rootpassword'
  const child = fork(main, [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      STOWAGE_PORT: '0',
      STOWAGE_DATA: data,
      ...(target
        ? { STOWAGE_SERVER: target }
        : {
            STOWAGE_STORE_PORT: '0',
            STOWAGE_ROOT_USER: user,
            STOWAGE_ROOT_PASSWORD: password,
            STOWAGE_MIN_FREE: '1MiB',
          }),
      ...options.env,
    },
  })
  let written = ''
  child.stdout?.on('data', (chunk) => (written += chunk))
  child.stderr?.on('data', (chunk) => (written += chunk))
  const ready = await waitForReady(child, () => written)
  const serverUrl = ready.server
  const root = new Caller(ready.url)
  await root.signIn(user, password)
  const s3 = new S3Client({
    endpoint: serverUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: user, secretAccessKey: password },
    maxAttempts: 1,
  })
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
    return child.exitCode
  }
  let buckets = 0
  return {
    url: ready.url,
    serverUrl,
    rootUser: user,
    rootPassword: password,
    embedded: !target,
    root,
    call: (operation, input, o) => root.call(operation, input, o),
    anonymous: () => new Caller(ready.url),
    async signIn(accessKey, secretKey) {
      const caller = new Caller(ready.url)
      await caller.signIn(accessKey, secretKey)
      return caller
    },
    s3,
    async newBucket(prefix = 'test') {
      const name = `${prefix}-${Date.now().toString(36)}-${process.pid}-${buckets++}`
      await root.call('createBucket', { body: { name } })
      return name
    },
    pid: child.pid as number,
    data,
    output: () => written,
    stop,
    async [Symbol.asyncDispose]() {
      s3.destroy()
      await stop()
      if (!options.data) await rm(data, { recursive: true, force: true })
    },
  }
}

async function waitForReady(child: ChildProcess, output: () => string): Promise<ReadyMessage> {
  return await new Promise((resolve, reject) => {
    child.on('message', (message: ReadyMessage) => message.type === 'ready' && resolve(message))
    child.once('exit', (code) => reject(new Error(`The console ended with ${code} before it was ready:\n${output()}`)))
  })
}
