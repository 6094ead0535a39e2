import type { PolicyRule, Subject } from 'kubernetes-types/rbac/v1'
import type { KubeCaller } from '../kinds/kind.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { KubeObjectStore } from '../store/store.ts'

const RBAC = 'rbac.authorization.k8s.io'
export const ADMINISTRATORS = 'system:masters'

/** What a caller wants to do: with objects, or with a path of the server. */
export type RbacAttributes =
  | {
      readonly verb: string
      readonly group: string
      readonly resource: string
      readonly subresource?: string | undefined
      readonly namespace?: string | undefined
      readonly name?: string | undefined
    }
  | { readonly verb: string; readonly path: string }

export interface AuthorizationDecision {
  readonly allowed: boolean
  readonly reason: string
}

/** A rule that applies to a caller, and its binding. */
interface GrantedRule {
  readonly rule: PolicyRule
  readonly by: string
}

interface Binding extends SandboxObject {
  roleRef: { kind: string; name: string }
  subjects?: Subject[]
}

export class Authorizer {
  constructor(readonly store: KubeObjectStore) {}

  decide(caller: KubeCaller, attributes: RbacAttributes): AuthorizationDecision {
    if (caller.groups.includes(ADMINISTRATORS)) return { allowed: true, reason: '' }
    const namespace = 'path' in attributes ? undefined : attributes.namespace
    const granted = this.#granted(caller, namespace).find(({ rule }) => covers(rule, attributes))
    return granted ? { allowed: true, reason: `RBAC: allowed by ${granted.by}` } : { allowed: false, reason: '' }
  }

  /** Returns all rules that apply to a caller in a namespace. */
  rules(caller: KubeCaller, namespace: string | undefined): PolicyRule[] {
    if (caller.groups.includes(ADMINISTRATORS))
      return [
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
        { nonResourceURLs: ['*'], verbs: ['*'] },
      ]
    return this.#granted(caller, namespace).map(({ rule }) => rule)
  }

  /** Whether a caller has all rights of a rule. */
  holds(caller: KubeCaller, namespace: string | undefined, rule: PolicyRule): boolean {
    const own = this.rules(caller, namespace)
    const { verbs, apiGroups = [], resources = [], resourceNames, nonResourceURLs = [] } = rule
    const wanted: PolicyRule[] = verbs.flatMap((verb) => [
      ...nonResourceURLs.map((url) => ({ verbs: [verb], nonResourceURLs: [url] })),
      ...apiGroups.flatMap((group) =>
        resources.flatMap((resource): PolicyRule[] => {
          const one = { verbs: [verb], apiGroups: [group], resources: [resource] }
          return resourceNames?.length ? resourceNames.map((name) => ({ ...one, resourceNames: [name] })) : [one]
        }),
      ),
    ])
    return wanted.every((each) => own.some((rule) => includes(rule, each)))
  }

  /** Returns the rules of the role that a binding refers to. */
  roleRules(roleRef: { kind: string; name: string }, namespace: string | undefined): PolicyRule[] {
    const role =
      roleRef.kind === 'ClusterRole'
        ? this.store.get(`clusterroles.${RBAC}`, undefined, roleRef.name)
        : this.store.get(`roles.${RBAC}`, namespace, roleRef.name)
    return (role?.rules as PolicyRule[] | null | undefined) ?? []
  }

  #granted(caller: KubeCaller, namespace: string | undefined): GrantedRule[] {
    const found = (kind: string, bindings: SandboxObject[]) =>
      (bindings as Binding[]).flatMap(({ metadata, roleRef, subjects = [] }) => {
        const subject = subjects.find((each) => isSubject(each, caller, metadata.namespace))
        if (!subject) return []
        const place = metadata.namespace === undefined ? metadata.name : `${metadata.name}/${metadata.namespace}`
        const role = `${roleRef.kind} ${JSON.stringify(roleRef.name)}`
        const by = `${kind} ${JSON.stringify(place)} of ${role} to ${subjectName(subject)}`
        return this.roleRules(roleRef, metadata.namespace).map((rule) => ({ rule, by }))
      })
    const everywhere = found('ClusterRoleBinding', this.store.list(`clusterrolebindings.${RBAC}`))
    if (!namespace) return everywhere
    return [...everywhere, ...found('RoleBinding', this.store.list(`rolebindings.${RBAC}`, namespace))]
  }
}

function isSubject({ kind, name, namespace }: Subject, caller: KubeCaller, bound: string | undefined): boolean {
  if (kind === 'User') return name === caller.username
  if (kind === 'Group') return caller.groups.includes(name)
  return caller.username === `system:serviceaccount:${namespace ?? bound}:${name}`
}

function subjectName({ kind, name, namespace }: Subject): string {
  return `${kind} ${JSON.stringify(kind === 'ServiceAccount' ? `${name}/${namespace}` : name)}`
}

const has = (list: readonly string[] | undefined, value: string) =>
  !!list?.some((each) => each === '*' || each === value)

function covers(rule: PolicyRule, attributes: RbacAttributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false
  if ('path' in attributes) return !!rule.nonResourceURLs?.some((url) => coversPath(url, attributes.path))
  const { group, resource, subresource, name } = attributes
  if (!has(rule.apiGroups, group) || !coversResource(rule, resource, subresource)) return false
  return !rule.resourceNames?.length || rule.resourceNames.includes(name ?? '')
}

function coversResource(rule: PolicyRule, resource: string, subresource: string | undefined): boolean {
  const whole = subresource ? `${resource}/${subresource}` : resource
  return !!rule.resources?.some(
    (each) => each === '*' || each === whole || (subresource && each === `*/${subresource}`),
  )
}

function coversPath(url: string, path: string): boolean {
  return url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)))
}

/** Whether a rule includes another rule with one verb and one resource. */
function includes(rule: PolicyRule, one: PolicyRule): boolean {
  if (!one.verbs.every((verb) => has(rule.verbs, verb))) return false
  if (one.nonResourceURLs?.length)
    return one.nonResourceURLs.every((url) => rule.nonResourceURLs?.some((each) => coversPath(each, url)))
  const [resource = '', subresource] = (one.resources?.[0] ?? '').split('/')
  if (!has(rule.apiGroups, one.apiGroups?.[0] ?? '') || !coversResource(rule, resource, subresource)) return false
  if (!rule.resourceNames?.length) return true
  return !!one.resourceNames?.length && one.resourceNames.every((name) => rule.resourceNames?.includes(name))
}
