import type { TestProject } from 'vitest/node'
import { startConsole, type TestConsole } from './start-console.ts'

declare module 'vitest' {
  interface ProvidedContext {
    console: {
      url: string
      serverUrl: string
      rootUser: string
      rootPassword: string
      embedded: boolean
      data: string
      pid: number
    }
  }
}

/** A notification target that receives nothing, so that buckets have something to subscribe to. */
const TARGET = {
  MINIO_NOTIFY_WEBHOOK_ENABLE_PRIMARY: 'on',
  MINIO_NOTIFY_WEBHOOK_ENDPOINT_PRIMARY: 'https://hooks.example.com/s3',
}

/** Starts one console and store for all files of a project; tests that break something start their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running: TestConsole = await startConsole({ env: TARGET })
  const { url, serverUrl, rootUser, rootPassword, embedded, data, pid } = running
  project.provide('console', { url, serverUrl, rootUser, rootPassword, embedded, data, pid })
  let over = false
  running.onEnd((how) => {
    if (!over) console.error(`The console ended with ${how} while tests were running:\n${running.output()}`)
  })
  return async () => {
    over = true
    await running[Symbol.asyncDispose]()
  }
}
