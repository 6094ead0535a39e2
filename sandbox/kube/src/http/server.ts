import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Authorizer } from '../auth/authorizer.ts'
import { ANONYMOUS, type ServiceAccountTokens } from '../auth/tokens.ts'
import type { KubeCaller, KubeKind } from '../kinds/kind.ts'
import type { KindRegistry } from '../kinds/kind-registry.ts'
import { isJsonObject, type KubeJsonObject, quoteLikeGo } from '../object/json.ts'
import { fieldErrors, KubeApiError, KubePageNotFound, kubeErrors } from '../object/kube-api-error.ts'
import { checkPropagation } from '../operations/deletion.ts'
import type { KubeOperations } from '../operations/operations.ts'
import type { FieldValidation, ObjectWriteOptions, OperationTarget } from '../operations/types.ts'
import type { KubeObjectStore } from '../store/store.ts'
import { DecodeError, decodeStruct } from '../types/go-types.ts'
import { answerDiscovery } from './discovery.ts'
import { listKubeObjects, matchesSelection, parseSelection, queryNumber } from './list-objects.ts'
import { applyJsonPatch, applyMergePatch, parsePatch } from './patch-object.ts'
import { type KubeletClient, sendLog } from './pod-logs.ts'
import {
  checkContentType,
  duplicateFields,
  duplicateMessage,
  mediaType,
  parseObject,
  readKubeBody,
} from './request-body.ts'
import { isQueryFlagSet, isWatch, type RequestInfo, requestAttributes, requestInfo } from './request-info.ts'
import { answerReview } from './reviews.ts'
import { bindPod, issueServiceAccountToken } from './subresources.ts'
import { type OpenWatches, watchKubeObjects } from './watch-objects.ts'

export interface ServerParts {
  readonly store: KubeObjectStore
  readonly registry: KindRegistry
  readonly operations: KubeOperations
  readonly authorizer: Authorizer
  readonly tokens: ServiceAccountTokens
  readonly kubelets: KubeletClient
  readonly watches: OpenWatches
  readonly now: () => Date
  /** Called for every request before it is processed; an error that it throws is the answer. */
  readonly fault: (info: RequestInfo, response: ServerResponse) => Promise<void>
}

const OFFERED = ['application/json', 'application/json;stream=watch']

/** Answers one request. Never rejects. */
export async function handleKubeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServerParts,
): Promise<void> {
  const warnings: string[] = []
  try {
    await answer(request, response, parts, warnings)
  } catch (error) {
    if (response.headersSent) return void response.destroy()
    if (error instanceof KubePageNotFound) return sendText(response, 404, '404 page not found\n')
    const failure =
      error instanceof KubeApiError
        ? error
        : kubeErrors.internal(error instanceof Error ? error.message : String(error))
    sendJson(response, failure.code, failure.status, warnings)
  }
}

function sendJson(response: ServerResponse, status: number, body: object, warnings: string[] = []): void {
  const text = `${JSON.stringify(body)}\n`
  if (warnings.length > 0) response.setHeader('warning', warnings)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-cache, private',
  })
  response.end(text)
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
  response.end(text)
}

/** A call with an identified caller. */
interface ResourceCall extends ServerParts {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  readonly query: URLSearchParams
  readonly caller: KubeCaller
  warn(text: string): void
  reply(status: number, body: object): void
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServerParts,
  warnings: string[],
): Promise<void> {
  const method = request.method ?? 'GET'
  const [path = '/', search = ''] = (request.url ?? '/').split('?')
  const query = new URLSearchParams(search)
  const info = requestInfo(method, path, query)
  if (!info) throw kubeErrors.badRequest('the path is not well encoded')
  const caller = await authenticate(request, parts.tokens)
  authorize(info, caller, parts.authorizer)
  await parts.fault(info, response)
  const call: ResourceCall = {
    ...parts,
    request,
    response,
    method,
    query,
    caller,
    warn: (text) => warnings.push(`299 - ${quoteLikeGo(text)}`),
    reply: (status, body) => sendJson(response, status, body, warnings),
  }
  if (info.is === 'path') return answerPath(call, path)
  checkAccept(request.headers.accept)
  await answerResource(call, info)
}

async function authenticate({ headers }: IncomingMessage, tokens: ServiceAccountTokens): Promise<KubeCaller> {
  const [scheme = '', token = ''] = (headers.authorization ?? '').trim().split(' ')
  // A caller without valid credentials is anonymous, and may still read public paths.
  if (scheme.toLowerCase() !== 'bearer' || token === '') return ANONYMOUS
  const caller = await tokens.authenticate(token)
  if (!caller) throw kubeErrors.unauthorized()
  return caller
}

/** @throws ApiError Forbidden */
function authorize(info: RequestInfo, caller: KubeCaller, authorizer: Authorizer): void {
  if (authorizer.decide(caller, requestAttributes(info)).allowed) return
  const user = `User ${quoteLikeGo(caller.username)} cannot ${info.verb}`
  if (info.is === 'path')
    throw new KubeApiError(403, 'Forbidden', `forbidden: ${user} path ${quoteLikeGo(info.path)}`, {})
  const { group, resource, subresource, namespace, name = '' } = info
  const what = `resource ${quoteLikeGo(subresource ? `${resource}/${subresource}` : resource)} in API group ${quoteLikeGo(group)}`
  const where = namespace ? `in the namespace ${quoteLikeGo(namespace)}` : 'at the cluster scope'
  throw kubeErrors.forbidden({ group, plural: resource }, name, `${user} ${what} ${where}`)
}

/**
 * @throws ApiError NotAcceptable for Tables, YAML and protobuf, other forms of the same objects that the sandbox does not
 * support
 */
function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === '') return
  const offers = accept.split(',').map((each) => each.split(';').map((part) => part.trim().toLowerCase()))
  const fits = offers.some(([type = '', ...parameters]) => {
    if (parameters.some((parameter) => parameter.startsWith('as='))) return false
    return ['application/json', 'application/*', '*/*'].includes(type)
  })
  if (!fits) throw kubeErrors.notAcceptable(OFFERED)
}

function answerPath({ method, registry, request, response, reply }: ResourceCall, path: string): void {
  if (/^\/openapi(\/|$)/.test(path)) throw kubeErrors.notAcceptable([])
  const address = request.headers.host ?? ''
  const found = answerDiscovery(path, registry, address)
  if (!found) throw new KubePageNotFound()
  if (found.missing) throw kubeErrors.noSuchResource()
  if (method !== 'GET' && method !== 'HEAD') throw kubeErrors.methodNotAllowed()
  if (found.text !== undefined) sendText(response, 200, found.text)
  else reply(200, found.json ?? {})
}

type ResourceInfo = Extract<RequestInfo, { is: 'resource' }>

async function answerResource(call: ResourceCall, info: ResourceInfo): Promise<void> {
  const { registry, method } = call
  const { group, version, resource, namespace, name, subresource } = info
  const review = registry.review(group, version, resource)
  if (review) {
    if (method !== 'POST' || name !== undefined) throw kubeErrors.methodNotAllowed()
    const body = parseObject(await readKubeBody(call.request), call.request.headers['content-type'], review.kind)
    return call.reply(201, await answerReview(review, checkedReview(review, body), call.caller, call))
  }
  const kind = registry.find(group, version, resource)
  if (!kind) throw isCustomGroup(registry, group) ? new KubePageNotFound() : kubeErrors.noSuchResource()
  // The path of a namespace contains the namespace itself.
  const isPlaced = namespace !== undefined && kind.key !== 'namespaces'
  if (isPlaced && !kind.namespaced) throw kind.custom ? new KubePageNotFound() : kubeErrors.noSuchResource()
  const place = kind.namespaced ? namespace : undefined
  const onObject = name !== undefined && pathHasName(call.request.url ?? '')
  if (!onObject) return await answerCollection(call, kind, place)
  if (kind.namespaced && place === undefined) throw kubeErrors.noSuchResource()
  const target: OperationTarget = { kind, namespace: place, name, subresource, caller: call.caller }
  if (subresource !== undefined) return await answerSubresource(call, target, subresource)
  await answerObject(call, target)
}

function checkedReview(
  review: { struct: string; kind: string; version: string },
  body: KubeJsonObject,
): KubeJsonObject {
  try {
    return decodeStruct(review.struct, body).object
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw kubeErrors.badRequest(
      `${review.kind} in version ${quoteLikeGo(review.version)} cannot be handled as a ${review.kind}: ${error.message}`,
    )
  }
}

function isCustomGroup(registry: KindRegistry, group: string): boolean {
  const kinds = registry.all().filter((kind) => kind.group === group)
  return kinds.length === 0 ? !registry.groups().has(group) : kinds.every(({ custom }) => custom)
}

/** A list with a field selector also selects one object, but not in its path. */
function pathHasName(url: string): boolean {
  const info = requestInfo('GET', url.split('?')[0] ?? '', new URLSearchParams())
  return info?.is === 'resource' && info.name !== undefined
}

async function answerCollection(call: ResourceCall, kind: KubeKind, namespace: string | undefined): Promise<void> {
  const { method, query, store, operations, caller } = call
  const everywhere = kind.namespaced && namespace === undefined
  switch (method) {
    case 'GET': {
      const selection = parseSelection(kind, namespace, query)
      if (isWatch(query)) {
        call.watches.add(kind.plural, namespace, call.response)
        return watchKubeObjects(kind, selection, query, store, call.response)
      }
      return call.reply(200, listKubeObjects(kind, selection, query, store))
    }
    case 'POST': {
      if (everywhere) throw kubeErrors.methodNotAllowed()
      const options = writeOptions(call, 'CreateOptions')
      const body = await readObject(call, kind, options)
      return call.reply(201, kind.show(operations.create({ kind, namespace, caller }, body, options)))
    }
    case 'DELETE': {
      if (everywhere || !kind.verbs.includes('deletecollection')) throw kubeErrors.methodNotAllowed()
      const selection = parseSelection(kind, namespace, query)
      const options = await deleteOptions(call)
      const answered = listKubeObjects(kind, selection, query, store)
      for (const object of store.list(kind.key, namespace))
        if (matchesSelection(kind, object, selection))
          operations.delete({ kind, namespace, name: object.metadata.name, caller }, options)
      return call.reply(200, answered)
    }
    default:
      throw kubeErrors.methodNotAllowed()
  }
}

async function answerObject(call: ResourceCall, target: OperationTarget): Promise<void> {
  const { method, operations } = call
  const { kind, namespace, name } = target
  switch (method) {
    case 'GET':
      return call.reply(200, kind.show(operations.get(kind, namespace, name)))
    case 'PUT': {
      const options = writeOptions(call, 'UpdateOptions')
      return call.reply(200, kind.show(operations.update(target, await readObject(call, kind, options), options)))
    }
    case 'PATCH':
      return call.reply(200, kind.show(await patch(call, target)))
    case 'DELETE': {
      const { gone, object } = operations.delete(target, await deleteOptions(call))
      const whole = !gone || kind.rules.returnsDeleted
      return call.reply(200, whole ? kind.show(object) : deletionAnswer(kind, object))
    }
    default:
      throw kubeErrors.methodNotAllowed()
  }
}

function deletionAnswer(kind: KubeKind, { metadata }: { metadata: { name: string; uid: string } }): object {
  const group = kind.group === '' ? {} : { group: kind.group }
  const details = { name: metadata.name, ...group, kind: kind.plural, uid: metadata.uid }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
}

async function answerSubresource(call: ResourceCall, target: OperationTarget, subresource: string): Promise<void> {
  const { method, operations, store, tokens } = call
  const { kind, namespace, name } = target
  const known = kind.subresources.find((each) => each.name === subresource)
  if (!known) throw kind.custom ? kubeErrors.notFound(kind, name) : kubeErrors.noSuchResource()
  if (subresource === 'log') {
    if (method !== 'GET') throw kubeErrors.methodNotAllowed()
    return await sendLog(operations.get(kind, namespace, name), call.query, store, call.kubelets, call.response)
  }
  if (subresource === 'binding' || subresource === 'token') {
    if (method !== 'POST') throw kubeErrors.methodNotAllowed()
    const options = writeOptions(call, 'CreateOptions')
    const body = parseObject(await readKubeBody(call.request), call.request.headers['content-type'], known.kind)
    const object = operations.get(kind, namespace, name)
    if (subresource === 'token') return call.reply(201, await issueServiceAccountToken(object, body, tokens, store))
    return call.reply(201, bindPod(kind, object, body, store, call.now(), options.dryRun))
  }
  switch (method) {
    case 'GET':
      if (!known.verbs.includes('get')) throw kubeErrors.methodNotAllowed()
      return call.reply(200, kind.show(operations.get(kind, namespace, name)))
    case 'PUT': {
      const options = writeOptions(call, 'UpdateOptions')
      return call.reply(200, kind.show(operations.update(target, await readObject(call, kind, options), options)))
    }
    case 'PATCH':
      if (!known.verbs.includes('patch')) throw kubeErrors.methodNotAllowed()
      return call.reply(200, kind.show(await patch(call, target)))
    default:
      throw kubeErrors.methodNotAllowed()
  }
}

async function patch(call: ResourceCall, target: OperationTarget) {
  const options = writeOptions(call, 'PatchOptions')
  const type = mediaType(call.request.headers['content-type'])
  if (type === 'application/json-patch+json') {
    const steps = parsePatch(await readKubeBody(call.request))
    // Invalid patches are reported before the object is looked up.
    if (!Array.isArray(steps)) applyJsonPatch({}, steps)
    return call.operations.patch(target, (object) => applyJsonPatch(object, steps), options)
  }
  if (type === 'application/merge-patch+json') {
    const changes = parsePatch(await readKubeBody(call.request))
    if (!isJsonObject(changes)) applyMergePatch({}, changes)
    return call.operations.patch(target, (object) => applyMergePatch(object, changes), options)
  }
  if (type === 'application/apply-patch+yaml' || type === 'application/strategic-merge-patch+json')
    throw kubeErrors.unsupportedMediaType(
      'the sandbox has no server-side apply and no strategic merge patch; use application/json-patch+json or application/merge-patch+json',
    )
  throw kubeErrors.unsupportedMediaType()
}

async function readObject(call: ResourceCall, kind: KubeKind, options: ObjectWriteOptions): Promise<KubeJsonObject> {
  const text = await readKubeBody(call.request)
  const body = parseObject(text, call.request.headers['content-type'], kind.kind)
  if (options.fieldValidation === 'Ignore') return body
  const twice = duplicateFields(text)
  if (twice.length > 0 && options.fieldValidation === 'Strict')
    throw kubeErrors.badRequest(
      `${kind.kind} in version ${quoteLikeGo(kind.version)} cannot be handled as a ${kind.kind}: ${duplicateMessage(twice)}`,
    )
  for (const path of twice) options.warn(`duplicate field ${quoteLikeGo(path)}`)
  return body
}

function writeOptions({ query, warn }: ResourceCall, kind: string): ObjectWriteOptions {
  const dryRun = isDryRun(query.getAll('dryRun'), kind)
  const fieldValidation = query.get('fieldValidation') || 'Warn'
  if (!isFieldValidation(fieldValidation)) {
    const cause = fieldErrors.notSupported('fieldValidation', quoteLikeGo(fieldValidation), [
      '',
      'Ignore',
      'Strict',
      'Warn',
    ])
    throw kubeErrors.invalid({ kind, group: 'meta.k8s.io' }, '', [cause])
  }
  return { dryRun, fieldValidation, warn }
}

function isFieldValidation(text: string): text is FieldValidation {
  return text === 'Ignore' || text === 'Warn' || text === 'Strict'
}

function isDryRun(values: string[], kind: string): boolean {
  const given = values.filter((value) => value !== '')
  if (given.some((value) => value !== 'All')) {
    const list = `[]string{${given.map(quoteLikeGo).join(', ')}}`
    throw kubeErrors.invalid({ kind, group: 'meta.k8s.io' }, '', [fieldErrors.notSupported('dryRun', list, ['All'])])
  }
  return given.length > 0
}

async function deleteOptions(call: ResourceCall) {
  const text = await readKubeBody(call.request)
  let body: KubeJsonObject = {}
  if (text.trim() !== '') {
    checkContentType(call.request.headers['content-type'])
    body = parseObject(text, undefined, 'DeleteOptions')
  }
  const { query } = call
  const listed = Array.isArray(body.dryRun) ? body.dryRun.map(String) : query.getAll('dryRun')
  const propagation =
    typeof body.propagationPolicy === 'string' ? body.propagationPolicy : (query.get('propagationPolicy') ?? undefined)
  checkPropagation(propagation)
  const graceSeconds = body.gracePeriodSeconds ?? queryNumber(query, 'gracePeriodSeconds')
  if (graceSeconds !== undefined && !Number.isInteger(graceSeconds))
    throw kubeErrors.badRequest('gracePeriodSeconds must be a whole number')
  if (body.orphanDependents !== undefined || isQueryFlagSet(query, 'orphanDependents'))
    throw kubeErrors.badRequest('the sandbox has no orphanDependents; use propagationPolicy')
  return {
    dryRun: isDryRun(listed, 'DeleteOptions'),
    propagation,
    graceSeconds: graceSeconds as number | undefined,
    preconditions: isJsonObject(body.preconditions)
      ? (body.preconditions as { uid?: string; resourceVersion?: string })
      : undefined,
  }
}
