import { readFile } from 'node:fs/promises'
import { readKubeconfig } from '@stowage/kube'
import type { TestProject } from 'vitest/node'
import type { KubeTestTarget } from './kube-target.ts'

declare module 'vitest' {
  interface ProvidedContext {
    kube: KubeTestTarget
  }
}

/** The target is the one in STOWAGE_TEST_KUBE, or else a new sandbox. */
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
  const { startSandboxTarget } = await import('./sandbox-target.ts')
  const sandbox = await startSandboxTarget()
  project.provide('kube', sandbox.target)
  return async () => await sandbox[Symbol.asyncDispose]()
}
