import { inject } from 'vitest'
import { connect, type TestTarget } from './target.ts'

/** The console and store that all files of this project share. Tests make their own buckets and users in it. */
export async function sharedConsole(): Promise<TestTarget> {
  return await connect(inject('console'))
}
