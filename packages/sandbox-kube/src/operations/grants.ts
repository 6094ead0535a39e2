import { isDeepStrictEqual } from 'node:util'
import type { RoleBinding } from 'kubernetes-types/rbac/v1'
import type { Authorizer } from '../auth/rbac.ts'
import { fail } from '../errors.ts'
import { quoted } from '../json.ts'
import type { StoredObject } from '../object.ts'
import type { Target } from './types.ts'

/** @throws ApiError Forbidden if the caller grants rights that it does not have */
export function checkGrants(
  authorizer: Authorizer,
  { kind, namespace, caller }: Omit<Target, 'name'>,
  name: string,
  object: StoredObject,
  previous?: StoredObject,
): void {
  if (kind.group !== 'rbac.authorization.k8s.io') return
  const isRole = kind.kind === 'Role' || kind.kind === 'ClusterRole'
  const part = isRole ? 'rules' : 'subjects'
  if (previous && isDeepStrictEqual(object[part], previous[part])) return
  const rules = isRole
    ? ((object.rules as ReturnType<Authorizer['rules']> | null) ?? [])
    : authorizer.rulesOf((object as unknown as RoleBinding).roleRef, namespace)
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
  const why = `user ${quoted(caller.username)} (groups=[${caller.groups.map(quoted).join(' ')}]) is attempting to grant RBAC permissions not currently held`
  throw fail.forbidden(kind, name, why)
}

const rolePlural = (binding: StoredObject) =>
  (binding as unknown as RoleBinding).roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles'
const roleName = (binding: StoredObject) => (binding as unknown as RoleBinding).roleRef.name
