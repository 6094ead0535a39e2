import { englishReason, type Reason, reason } from '@stowage/contract'
import type { KubeError } from '@stowage/kube'

/** The answer to a refusal by the API server: a status, and a text of ours if there is one. */
interface KubeErrorMeaning {
  status: number
  reason?: Reason
  /** Explains the text of the API server. */
  detail?: Reason
}

const MEANINGS: Readonly<Partial<Record<KubeError['code'], KubeErrorMeaning>>> = {
  Unauthorized: { status: 401, reason: reason('kube-unauthorized') },
  Forbidden: { status: 403, reason: reason('kube-forbidden') },
  NotFound: { status: 404, reason: reason('kube-not-found') },
  AlreadyExists: { status: 409 },
  Conflict: { status: 409 },
  Invalid: { status: 422 },
  BadRequest: { status: 400 },
  MethodNotAllowed: { status: 400 },
  NotAcceptable: { status: 400 },
  UnsupportedMediaType: { status: 400 },
  RequestEntityTooLarge: { status: 413 },
  Expired: { status: 503, reason: reason('cluster-busy') },
  Gone: { status: 503, reason: reason('cluster-busy') },
  TooManyRequests: { status: 503, reason: reason('cluster-busy') },
  ServiceUnavailable: { status: 503, reason: reason('cluster-busy') },
  ServerTimeout: { status: 503, reason: reason('cluster-busy') },
  Timeout: { status: 503, reason: reason('cluster-busy') },
}

export function kubeErrorMeaning(error: KubeError): KubeErrorMeaning {
  // The API server names an object that is missing, but not a kind.
  if (error.code === 'NotFound' && !error.details?.name)
    return { status: 404, reason: reason('kube-not-found'), detail: reason('kube-kind-missing') }
  return MEANINGS[error.code] ?? { status: error.status >= 400 && error.status < 500 ? error.status : 502 }
}

/** Returns the answer to a call that the API server refused. */
export function kubeErrorAnswer(error: KubeError, requestId: string) {
  const { status, reason, detail } = kubeErrorMeaning(error)
  const message = (reason && englishReason(reason)) ?? error.message
  return {
    status,
    headers: {},
    body: {
      code: status,
      message,
      ...(reason ? { reason } : {}),
      ...(detail ? { detailedReason: detail } : {}),
      detailedMessage: (detail && englishReason(detail)) ?? error.message,
      requestId,
      cause: error.rawCode || error.code,
    },
    unexpected: false,
  }
}
