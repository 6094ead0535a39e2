import type { ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream'
import type { Node, Pod } from 'kubernetes-types/core/v1'
import type { PemKeyPair } from '../auth/pki.ts'
import { fieldErrors, KubeApiError, kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { KubeObjectStore } from '../store/store.ts'
import { queryNumber } from './list-objects.ts'
import { isQueryFlagSet } from './request-info.ts'

/** Certificates for the connection between the server and the kubelets of its nodes. */
export interface KubeletClient extends PemKeyPair {
  readonly ca: string
}

const PODS = { group: '', plural: 'pods' }
const CONNECT_MS = 10_000

/** Forwards the answer of the kubelet of the pod's node. @throws ApiError */
export async function sendLog(
  object: SandboxObject,
  query: URLSearchParams,
  store: KubeObjectStore,
  client: KubeletClient,
  response: ServerResponse,
): Promise<void> {
  const pod = object as Pod
  const name = object.metadata.name
  const options = logOptions(name, query)
  const container = chooseContainer(pod, name, query.get('container') ?? '')
  const nodeName = pod.spec?.nodeName
  if (!nodeName) {
    response.writeHead(204)
    response.end()
    return
  }
  const node = store.get('nodes', undefined, nodeName) as Node | undefined
  // A real server returns the same message, with "pods".
  if (!node) throw kubeErrors.notFound(PODS, nodeName)
  const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address
  const port = node.status?.daemonEndpoints?.kubeletEndpoint?.Port
  if (!address || !port) throw kubeErrors.internal(`no preferred addresses found; known addresses: []`)
  const path = ['containerLogs', object.metadata.namespace ?? '', name, container].map(encodeURIComponent).join('/')
  const search = options.toString()
  await new Promise<void>((resolve, reject) => {
    const { ca, cert, key } = client
    const call = httpsRequest({
      host: address,
      port,
      path: `/${path}${search === '' ? '' : `?${search}`}`,
      ca,
      cert,
      key,
      timeout: CONNECT_MS,
      agent: false,
    })
    const gone = () => call.destroy()
    response.on('close', gone)
    call.on('timeout', () => {
      if (!call.socket?.connecting) return
      call.destroy(new Error('i/o timeout'))
    })
    call.on('error', (error) => {
      const url = `https://${address}:${port}/${path}`
      reject(kubeErrors.internal(`Get ${JSON.stringify(url)}: ${error.message}`))
    })
    call.on('response', (answer) => {
      if (answer.statusCode === 200) {
        response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' })
        response.flushHeaders()
        // Ends if either side closes; nobody needs the error.
        pipeline(answer, response, () => resolve())
        return
      }
      let text = ''
      answer.on('data', (chunk) => {
        text = (text + chunk).slice(0, 10_000)
      })
      answer.on('end', () => reject(kubeletError(answer.statusCode ?? 500, name, text)))
    })
    call.end()
  })
}

/** Returns the Status for an error of the kubelet. */
function kubeletError(status: number, name: string, text: string): KubeApiError {
  if (status === 404) {
    const what = { name, kind: 'pods/log' }
    return new KubeApiError(
      404,
      'NotFound',
      `the server could not find the requested resource ( pods/log ${name})`,
      what,
    )
  }
  return status === 400 ? kubeErrors.badRequest(text) : kubeErrors.internal(text)
}

function logOptions(name: string, query: URLSearchParams): URLSearchParams {
  const options = new URLSearchParams()
  const problems = []
  for (const each of ['sinceSeconds', 'tailLines', 'limitBytes']) {
    const value = queryNumber(query, each)
    const least = each === 'tailLines' ? 0 : 1
    if (value === undefined) continue
    if (value < least)
      problems.push(
        fieldErrors.invalid(each, value, least === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0'),
      )
    options.set(each, String(value))
  }
  for (const each of ['follow', 'previous', 'timestamps']) if (isQueryFlagSet(query, each)) options.set(each, 'true')
  const since = query.get('sinceTime')
  if (since) options.set('sinceTime', since)
  if (since && options.has('sinceSeconds'))
    problems.push(fieldErrors.forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  if (problems.length > 0) throw kubeErrors.invalid({ kind: 'PodLogOptions', group: '' }, name, problems)
  options.sort()
  return options
}

function chooseContainer(pod: Pod, name: string, asked: string): string {
  const containers = pod.spec?.containers ?? []
  const all = [...(pod.spec?.initContainers ?? []), ...containers].map((each) => each.name)
  if (asked !== '') {
    if (all.includes(asked)) return asked
    throw kubeErrors.badRequest(`container ${asked} is not valid for pod ${name}`)
  }
  const [only, ...others] = containers
  if (only && others.length === 0) return only.name
  throw kubeErrors.badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`)
}
