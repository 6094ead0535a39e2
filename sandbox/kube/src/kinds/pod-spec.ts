import { compareQuantities, parseQuantity } from '@stowage/contract/values/quantity'
import type { Container, PodSpec, PodTemplateSpec, Probe, Volume } from 'kubernetes-types/core/v1'
import { quoteLikeGo } from '../object/json.ts'
import { type FieldError, fieldErrors } from '../object/kube-api-error.ts'
import { objectNameProblems } from '../object/name-rules.ts'

/** Fills in the defaults of a pod, or of a template of one. */
export function defaultPodSpec(spec: PodSpec): void {
  spec.restartPolicy ??= 'Always'
  spec.dnsPolicy ??= 'ClusterFirst'
  spec.securityContext ??= {}
  spec.terminationGracePeriodSeconds ??= 30
  spec.schedulerName ??= 'default-scheduler'
  // An older name of the same field; servers keep both equal.
  const account = spec.serviceAccountName ?? spec.serviceAccount
  if (account !== undefined) {
    spec.serviceAccountName = account
    spec.serviceAccount = account
  }
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) defaultContainer(container)
  for (const volume of spec.volumes ?? []) defaultVolume(volume)
}

function defaultContainer(container: Container): void {
  container.imagePullPolicy ??= isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent'
  container.terminationMessagePath ??= '/dev/termination-log'
  container.terminationMessagePolicy ??= 'File'
  container.resources ??= {}
  for (const port of container.ports ?? []) port.protocol ??= 'TCP'
  for (const { valueFrom } of container.env ?? []) if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ??= 'v1'
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
    if (probe) defaultProbe(probe)
}

function isLatest(image: string): boolean {
  const [, tag] = /:([^/:@]+)$/.exec(image) ?? []
  return !image.includes('@') && (tag === undefined || tag === 'latest')
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ??= 1
  probe.periodSeconds ??= 10
  probe.successThreshold ??= 1
  probe.failureThreshold ??= 3
  if (probe.httpGet) {
    probe.httpGet.path ??= '/'
    probe.httpGet.scheme ??= 'HTTP'
  }
}

const FILE_MODE = 0o644

function defaultVolume(volume: Volume): void {
  const { name: _, ...source } = volume
  if (Object.keys(source).length === 0) volume.emptyDir = {}
  if (volume.secret) volume.secret.defaultMode ??= FILE_MODE
  if (volume.configMap) volume.configMap.defaultMode ??= FILE_MODE
  if (volume.downwardAPI) volume.downwardAPI.defaultMode ??= FILE_MODE
  if (volume.hostPath) volume.hostPath.type ??= ''
  if (volume.projected) {
    volume.projected.defaultMode ??= FILE_MODE
    for (const { serviceAccountToken, downwardAPI } of volume.projected.sources ?? []) {
      if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= 3600
      for (const { fieldRef } of downwardAPI?.items ?? []) if (fieldRef) fieldRef.apiVersion ??= 'v1'
    }
  }
}

export function defaultTemplate(template: PodTemplateSpec): void {
  template.spec ??= { containers: [] }
  defaultPodSpec(template.spec)
}

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never']
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

/** @param claimed volumes that a StatefulSet adds to its pods */
export function podSpecProblems(spec: PodSpec, path: string, claimed: readonly string[] = []): FieldError[] {
  const problems: FieldError[] = []
  const volumes = new Set<string>()
  for (const [n, { name }] of (spec.volumes ?? []).entries()) {
    problems.push(...uniqueName(name, volumes, `${path}.volumes[${n}].name`))
    volumes.add(name)
  }
  for (const name of claimed) volumes.add(name)
  if (!spec.containers?.length) problems.push(fieldErrors.required(`${path}.containers`))
  const names = new Set<string>()
  for (const part of ['initContainers', 'containers'] as const)
    for (const [n, container] of (spec[part] ?? []).entries()) {
      problems.push(...containerProblems(container, `${path}.${part}[${n}]`, names, volumes))
      names.add(container.name)
    }
  if (!RESTART_POLICIES.includes(spec.restartPolicy ?? ''))
    problems.push(
      fieldErrors.notSupported(`${path}.restartPolicy`, quoteLikeGo(spec.restartPolicy ?? ''), RESTART_POLICIES),
    )
  if (!DNS_POLICIES.includes(spec.dnsPolicy ?? ''))
    problems.push(fieldErrors.notSupported(`${path}.dnsPolicy`, quoteLikeGo(spec.dnsPolicy ?? ''), DNS_POLICIES))
  return problems
}

function uniqueName(name: string, known: ReadonlySet<string>, path: string): FieldError[] {
  if (!name) return [fieldErrors.required(path)]
  const problems = objectNameProblems('label', name).map((problem) => fieldErrors.invalid(path, name, problem))
  if (problems.length > 0) return problems
  return known.has(name) ? [fieldErrors.duplicate(path, quoteLikeGo(name))] : []
}

function containerProblems(
  container: Container,
  path: string,
  names: ReadonlySet<string>,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const problems = uniqueName(container.name, names, `${path}.name`)
  if (!container.image) problems.push(fieldErrors.required(`${path}.image`))
  if (!PULL_POLICIES.includes(container.imagePullPolicy ?? ''))
    problems.push(
      fieldErrors.notSupported(`${path}.imagePullPolicy`, quoteLikeGo(container.imagePullPolicy ?? ''), PULL_POLICIES),
    )
  for (const [n, { name, mountPath }] of (container.volumeMounts ?? []).entries()) {
    if (!name) problems.push(fieldErrors.required(`${path}.volumeMounts[${n}].name`))
    else if (!volumes.has(name)) problems.push(fieldErrors.notFound(`${path}.volumeMounts[${n}].name`, name))
    if (!mountPath) problems.push(fieldErrors.required(`${path}.volumeMounts[${n}].mountPath`))
  }
  const { requests = {}, limits = {} } = container.resources ?? {}
  for (const [name, request] of Object.entries(requests)) {
    const [asked, limit] = [parseQuantity(request), parseQuantity(limits[name] ?? '')]
    if (asked && limit && compareQuantities(asked, limit) > 0) {
      const detail = `must be less than or equal to ${name} limit of ${limits[name]}`
      problems.push(fieldErrors.invalid(`${path}.resources.requests`, request, detail))
    }
  }
  return problems
}

/** Returns the amounts of a resource that the containers declare. */
export function podResource(spec: PodSpec, part: 'requests' | 'limits', name: string): string[] {
  return (spec.containers ?? []).flatMap(({ resources }) => resources?.[part]?.[name] ?? [])
}
