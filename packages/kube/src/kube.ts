import type { SelfSubjectAccessReview, SelfSubjectRulesReview } from 'kubernetes-types/authorization/v1'
import type { APIGroupList, APIResourceList } from 'kubernetes-types/meta/v1'
import type {
  CallerIdentity,
  Cluster,
  Kube,
  KubeCallOptions,
  KubeDeleteOptions,
  KubeWriteOptions,
  ListSelector,
  ObjectList,
} from './api.ts'
import {
  type ClusterConnection,
  type ClusterOptions,
  type KubeCall,
  type KubeQuery,
  type KubeToken,
  openClusterConnection,
} from './connection.ts'
import { KubeError } from './kube-error.ts'
import { readLines } from './read-lines.ts'
import { resourcePath } from './resource-paths.ts'
import { formatApiVersion, type KubeObject, type KubeResource, resources, type SavedKubeObject } from './resources.ts'
import { watchObjects } from './watch.ts'

/** Number of objects in a page of a list. */
const PAGE = 500
/** Maximum length of a log line, in bytes. */
const MAX_LOG_LINE = 2 ** 20

/** Prepares connections to an API server; sends nothing yet. */
export function openCluster(options: ClusterOptions): Cluster {
  const connection = openClusterConnection(options)
  return {
    server: options.server,
    as: (token) => createKube(connection, token, options.timeoutMs ?? 30_000),
    [Symbol.asyncDispose]: () => connection.close(),
  }
}

function createKube(connection: ClusterConnection, token: KubeToken, timeoutMs: number): Kube {
  // The caller of each call specifies the type of the answer.
  const call: CallFunction = <T>(each: KubeCall) => connection.call(token, each) as Promise<T>

  async function* pages<T extends KubeObject>(
    kind: KubeResource<T>,
    {
      namespace,
      labelSelector,
      fieldSelector,
      limit = PAGE,
      signal,
    }: ListSelector & KubeCallOptions & { limit?: number } = {},
  ): AsyncGenerator<ObjectList<T>, void> {
    const path = resourcePath(kind, { namespace })
    let next: string | undefined
    do {
      const query = { labelSelector, fieldSelector, limit, continue: next }
      const page = await call<RawList<T>>({ method: 'GET', path, query, signal })
      const type = { apiVersion: formatApiVersion(kind), kind: kind.kind }
      yield {
        // Items of a list do not contain their kind; objects from `get` and `watch` do.
        objects: (page.items ?? []).map((item) => ({ ...type, ...item })),
        resourceVersion: page.metadata?.resourceVersion ?? '',
      }
      next = page.metadata?.continue
    } while (next)
  }

  const list: Kube['list'] = async (kind, selection) => {
    const objects = []
    let resourceVersion = ''
    for await (const page of pages(kind, selection)) {
      objects.push(...page.objects)
      resourceVersion = page.resourceVersion
    }
    return { objects, resourceVersion }
  }

  const log: Kube['log'] = async ({ namespace, name }, { signal, ...options } = {}) => {
    const path = resourcePath(resources.pods, { namespace, name, subresource: 'log' })
    // A followed log may be silent while the container writes nothing.
    const idleMs = options.follow ? 0 : timeoutMs
    return (await connection.stream(token, { method: 'GET', path, query: options as KubeQuery, signal }, idleMs)).body
  }

  return {
    list,
    pages,
    get: (kind, at, { signal } = {}) => call({ method: 'GET', path: resourcePath(kind, at), signal }),
    create(kind, object, options = {}) {
      const path = resourcePath(kind, { namespace: object.metadata?.namespace })
      const body = { apiVersion: formatApiVersion(kind), kind: kind.kind, ...object }
      return call({ method: 'POST', path, query: writeQuery(options), body, signal: options.signal })
    },
    update(kind, object, { subresource, ...options } = {}) {
      const { namespace, name } = object.metadata
      const path = resourcePath(kind, { namespace, name, subresource })
      const body = { apiVersion: formatApiVersion(kind), kind: kind.kind, ...object }
      return call({ method: 'PUT', path, query: writeQuery(options), body, signal: options.signal })
    },
    patch(kind, at, operations, { resourceVersion, subresource, ...options } = {}) {
      // Uses `replace` instead of `test`: a failed test is an ordinary 422, an old version a 409.
      const pin = { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion } as const
      return call({
        method: 'PATCH',
        path: resourcePath(kind, { ...at, subresource }),
        query: writeQuery(options),
        body: resourceVersion === undefined ? operations : [pin, ...operations],
        contentType: 'application/json-patch+json',
        signal: options.signal,
      })
    },
    mergePatch: (kind, at, patch, { subresource, ...options } = {}) =>
      call({
        method: 'PATCH',
        path: resourcePath(kind, { ...at, subresource }),
        query: writeQuery(options),
        body: patch,
        contentType: 'application/merge-patch+json',
        signal: options.signal,
      }),
    async delete(kind, at, options = {}) {
      await call({ method: 'DELETE', path: resourcePath(kind, at), body: deleteBody(options), signal: options.signal })
    },
    async deleteCollection(kind, { namespace, labelSelector, fieldSelector }, options = {}) {
      await call({
        method: 'DELETE',
        path: resourcePath(kind, { namespace }),
        query: { labelSelector, fieldSelector },
        body: deleteBody(options),
        signal: options.signal,
      })
    },
    createAt: (kind, at, subresource, body, options = {}) =>
      call({
        method: 'POST',
        path: resourcePath(kind, { ...at, subresource }),
        query: writeQuery(options),
        body,
        signal: options.signal,
      }),
    watch: (kind, { namespace, labelSelector, fieldSelector, signal, timing } = {}) =>
      watchObjects({
        connection,
        token,
        path: resourcePath(kind, { namespace }),
        query: { labelSelector, fieldSelector },
        signal,
        timing,
        list: () => list(kind, { namespace, labelSelector, fieldSelector, signal }),
      }),
    log,
    logLines: async (pod, options) => readLines(await log(pod, options), MAX_LOG_LINE),
    whoAmI: (options = {}) => whoAmI(call, options),
    async can({ verb, resource, subresource, namespace, name }, { signal } = {}) {
      const resourceAttributes = {
        verb,
        group: resource.group,
        resource: resource.plural,
        ...(subresource === undefined ? {} : { subresource }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(name === undefined ? {} : { name }),
      }
      const review = await call<SelfSubjectAccessReview>({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: { ...typeMeta('authorization.k8s.io/v1', 'SelfSubjectAccessReview'), spec: { resourceAttributes } },
        signal,
      })
      return { allowed: review.status?.allowed ?? false, reason: review.status?.reason ?? '' }
    },
    async rules(namespace, { signal } = {}) {
      const review = await call<SelfSubjectRulesReview>({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        body: { ...typeMeta('authorization.k8s.io/v1', 'SelfSubjectRulesReview'), spec: { namespace } },
        signal,
      })
      return review.status ?? { incomplete: true, resourceRules: [], nonResourceRules: [] }
    },
    async version({ signal } = {}) {
      return (await call<{ gitVersion: string }>({ method: 'GET', path: '/version', signal })).gitVersion
    },
    async groups({ signal } = {}) {
      const { groups } = await call<APIGroupList>({ method: 'GET', path: '/apis', signal })
      return groups.map(({ name, versions, preferredVersion }) => {
        const all = versions.map(({ version }) => version)
        const first = preferredVersion?.version ?? all[0]
        return { name, versions: first === undefined ? [] : [first, ...all.filter((version) => version !== first)] }
      })
    },
    async has(kind, { signal } = {}) {
      const path = `/${kind.group === '' ? 'api' : 'apis'}/${formatApiVersion(kind)}`
      try {
        const { resources } = await call<APIResourceList>({ method: 'GET', path, signal })
        return resources.some(({ name }) => name === kind.plural)
      } catch (error) {
        if (error instanceof KubeError && error.code === 'NotFound') return false
        throw error
      }
    },
  }
}

interface RawList<T extends KubeObject> {
  items: SavedKubeObject<T>[] | null
  metadata?: { resourceVersion?: string; continue?: string }
}

type CallFunction = <T>(call: KubeCall) => Promise<T>

interface SelfSubjectReview {
  status?: { userInfo?: { username?: string; uid?: string; groups?: string[] } }
}

/**
 * Returns the caller. SelfSubjectReview exists since Kubernetes 1.28; before, a token is valid if the server lists its versions
 * for it.
 */
async function whoAmI(call: CallFunction, { signal }: KubeCallOptions): Promise<CallerIdentity> {
  try {
    const { status } = await call<SelfSubjectReview>({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: typeMeta('authentication.k8s.io/v1', 'SelfSubjectReview'),
      signal,
    })
    return { username: status?.userInfo?.username, uid: status?.userInfo?.uid, groups: status?.userInfo?.groups ?? [] }
  } catch (error) {
    // The roles of an older server do not contain this kind, so it may answer Forbidden instead of NotFound.
    if (!(error instanceof KubeError) || (error.code !== 'NotFound' && error.code !== 'Forbidden')) throw error
    await call({ method: 'GET', path: '/api', signal })
    return { username: undefined, uid: undefined, groups: [] }
  }
}

function typeMeta(apiVersion: string, kind: string): { apiVersion: string; kind: string } {
  return { apiVersion, kind }
}

function writeQuery({ dryRun, fieldValidation }: KubeWriteOptions): KubeQuery {
  return { dryRun: dryRun ? 'All' : undefined, fieldValidation }
}

function deleteBody({ dryRun, propagation, gracePeriodSeconds, preconditions }: KubeDeleteOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions }),
  }
}
