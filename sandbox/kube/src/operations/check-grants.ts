import { isDeepStrictEqual } from 'node:util'
import type { RoleBinding } from 'kubernetes-types/rbac/v1'
import type { Authorizer } from '../auth/authorizer.ts'
import { quoteLikeGo } from '../object/json.ts'
import { kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { OperationTarget } from './types.ts'

/** @throws ApiError Forbidden if the caller grants rights that it does not have */
export function checkGrants(
  authorizer: Authorizer,
  { kind, namespace, caller }: Omit<OperationTarget, 'name'>,
  name: string,
  object: SandboxObject,
  previous?: SandboxObject,
): void {
  if (kind.group !== 'rbac.authorization.k8s.io') return
  const isRole = kind.kind === 'Role' || kind.kind === 'ClusterRole'
  const part = isRole ? 'rules' : 'subjects'
  if (previous && isDeepStrictEqual(object[part], previous[part])) return
  const rules = isRole
    ? ((object.rules as ReturnType<Authorizer['rules']> | null) ?? [])
    : authorizer.roleRules((object as unknown as RoleBinding).roleRef, namespace)
  const verb = isRole ? 'escalate' : 'bind'
  const attributes = {
    verb,
    group: kind.group,
    resource: isRole ? kind.plural : rolePlural(object),
    namespace,
    name: isRole ? name : roleName(object),
  }
  if (authorizer.decide(caller, attributes).allowed) return
  if (rules.every((rule) => authorizer.holds(caller, namespace, rule))) return
  const why = `user ${quoteLikeGo(caller.username)} (groups=[${caller.groups.map(quoteLikeGo).join(' ')}]) is attempting to grant RBAC permissions not currently held`
  throw kubeErrors.forbidden(kind, name, why)
}

const rolePlural = (binding: SandboxObject) =>
  (binding as unknown as RoleBinding).roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles'
const roleName = (binding: SandboxObject) => (binding as unknown as RoleBinding).roleRef.name
