import { buffer } from 'node:stream/consumers'
import { type Kube, KubeError, type SavedKubeObject, type TenantObject } from '@stowage/kube'
import type { Pod } from 'kubernetes-types/core/v1'
import { stringify } from 'yaml'
import { type ZipFile, zipBytes } from '../../../lib/zip/zip-writer.ts'
import { hideSecretsInText, objectForDisplay } from '../kube-objects/hide-secrets.ts'
import { listObjectEvents } from '../kube-objects/object-events.ts'
import { readLog } from './pod-logs.ts'

/** Limits of each container's log (bytes, lines). */
const LOG_BYTES = 4 << 20
const LOG_LINES = 10_000

/** Returns the tenant, its events and the logs of its pods as a zip in Base64, without values that may be secrets. */
export async function createLogReport(
  kube: Kube,
  tenant: SavedKubeObject<TenantObject>,
  pods: readonly SavedKubeObject<Pod>[],
  signal: AbortSignal,
): Promise<string> {
  const namespace = tenant.metadata.namespace ?? ''
  const files: ZipFile[] = []
  const add = (path: string, text: string) =>
    files.push({ path, mtime: new Date(), content: Buffer.from(text), compress: true })
  add('tenant.yaml', stringify(objectForDisplay(tenant)))
  const events = async (uid: string) =>
    stringify(objectForDisplay(await listObjectEvents(kube, namespace, uid, signal)))
  add('events.yaml', await events(tenant.metadata.uid))
  for (const pod of pods) {
    const { name, uid } = pod.metadata
    add(`pods/${name}/pod.yaml`, stringify(objectForDisplay(pod)))
    add(`pods/${name}/events.yaml`, await events(uid))
    for (const container of pod.spec?.containers ?? []) {
      const text = await readContainerLog(kube, { namespace, name }, container.name, signal)
      add(`pods/${name}/${container.name}.log`, hideSecretsInText(text))
    }
  }
  return (await buffer(zipBytes(files))).toString('base64')
}

async function readContainerLog(
  kube: Kube,
  pod: { namespace: string; name: string },
  container: string,
  signal: AbortSignal,
) {
  try {
    const options = { container, tailLines: LOG_LINES, limitBytes: LOG_BYTES, signal }
    return await readLog(await kube.log(pod, options), LOG_BYTES)
  } catch (error) {
    // A container that has not started has no log; the report contains the error instead.
    if (error instanceof KubeError && error.code !== 'Unauthorized') return `(${error.message})\n`
    throw error
  }
}
