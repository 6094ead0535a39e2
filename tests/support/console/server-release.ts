import type { TestTarget } from './test-target.ts'

/** Whether the storage server is a MinIO of 2021. */
export async function isMinio2021({ madmin }: TestTarget): Promise<boolean> {
  return (await madmin.serverInfo()).servers.every(({ version }) => version.startsWith('2021-'))
}
