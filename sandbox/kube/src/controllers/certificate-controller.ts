import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1'
import { type Controller, type ControllerContext, kubeTime, setStatusAsController } from './controller.ts'

const REQUESTS = 'certificatesigningrequests.certificates.k8s.io'
const SIGNERS: Readonly<Record<string, 'server' | 'client'>> = {
  'kubernetes.io/kubelet-serving': 'server',
  'kubernetes.io/kube-apiserver-client': 'client',
  'kubernetes.io/kube-apiserver-client-kubelet': 'client',
}
const YEAR_SECONDS = 365 * 24 * 3600

/** Signs approved requests. */
export function certificateController(context: ControllerContext): Controller {
  const { store, authority, now } = context
  return {
    name: 'certificates',
    all: () => store.list(REQUESTS).map(({ metadata }) => metadata.name),
    affected: ({ kind, object }) => (kind === REQUESTS ? [object.metadata.name] : []),
    async reconcile(name) {
      const object = store.get(REQUESTS, undefined, name)
      if (!object) return
      const { spec, status } = object as unknown as CertificateSigningRequest
      const is = (wanted: string) => status?.conditions?.some(({ type }) => type === wanted)
      const usage = SIGNERS[spec.signerName ?? '']
      if (!usage || status?.certificate || !is('Approved') || is('Failed')) return
      try {
        const pem = Buffer.from(spec.request, 'base64').toString('utf8')
        const seconds = (spec as { expirationSeconds?: number }).expirationSeconds ?? YEAR_SECONDS
        const certificate = await authority.sign(pem, { usage, validMs: seconds * 1000, now: now() })
        setStatusAsController(context, REQUESTS, object, {
          ...status,
          certificate: Buffer.from(certificate).toString('base64'),
        })
      } catch (error) {
        const time = kubeTime(now())
        const message = error instanceof Error ? error.message : String(error)
        const failed = {
          type: 'Failed',
          status: 'True',
          reason: 'SigningFailed',
          message,
          lastUpdateTime: time,
          lastTransitionTime: time,
        }
        setStatusAsController(context, REQUESTS, object, {
          ...status,
          conditions: [...(status?.conditions ?? []), failed],
        })
      }
    },
  }
}
