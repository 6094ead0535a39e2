import { startSandbox } from '@stowage/sandbox-kube'
import type { KubeTestTarget } from './kube-target.ts'

/** Starts a sandbox as target of the suite. */
export async function startSandboxTarget(): Promise<{ target: KubeTestTarget } & AsyncDisposable> {
  const sandbox = await startSandbox({ onError: (controller, error) => console.error(controller, error) })
  const { server, ca, token } = sandbox
  return {
    target: { server, ca, token, kind: 'sandbox', kubelet: await sandbox.kubeletCertificate() },
    [Symbol.asyncDispose]: async () => await sandbox[Symbol.asyncDispose](),
  }
}
