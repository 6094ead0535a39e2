import { readFile } from 'node:fs/promises'
import { readKubeconfig } from '@stowage/kube'
import type { TestProject } from 'vitest/node'

/** The API server under test. */
export interface Target {
  readonly server: string
  readonly ca: string
  readonly token: string
  /** `judge` is the real server of the recordings, `sandbox` ours, `cluster` any other. */
  readonly kind: 'judge' | 'sandbox' | 'cluster'
  /** What a kubelet of this cluster must present, and the authority of those that ask it. Unknown for other clusters. */
  readonly kubelet?: { readonly cert: string; readonly key: string; readonly ca: string }
}

declare module 'vitest' {
  interface ProvidedContext {
    kube: Target
  }
}

/** The target is the one that STOWAGE_TEST_KUBE names, or else a sandbox of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env.STOWAGE_TEST_KUBE
  if (named) {
    const { cluster, token } = await readKubeconfig(named)
    if (token === undefined || cluster.ca === undefined)
      throw new Error(`${named} must name a token and an authority; the suite signs in as others too`)
    const judge = process.env.STOWAGE_TEST_KUBE_JUDGE
    project.provide('kube', {
      server: cluster.server,
      ca: cluster.ca,
      token,
      kind: judge ? 'judge' : 'cluster',
      ...(judge ? { kubelet: JSON.parse(await readFile(judge, 'utf8')) } : {}),
    })
    return async () => {}
  }
  const { startSandboxTarget } = await import('./sandbox.ts')
  const sandbox = await startSandboxTarget()
  project.provide('kube', sandbox.target)
  return async () => await sandbox[Symbol.asyncDispose]()
}
