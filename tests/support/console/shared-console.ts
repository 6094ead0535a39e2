import { inject } from 'vitest'
import { connectTarget, type TestTarget } from './test-target.ts'

/** Returns the console and store shared by all files of this project. Tests create their own buckets and users in it. */
export async function sharedConsole(): Promise<TestTarget> {
  return await connectTarget(inject('console'))
}
