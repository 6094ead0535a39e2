import { isDeepStrictEqual } from 'node:util'
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from 'kubernetes-types/rbac/v1'
import { quoteLikeGo } from '../object/json.ts'
import { type FieldError, fieldErrors } from '../object/kube-api-error.ts'
import type { KindRules } from './kind.ts'

const GROUP = 'rbac.authorization.k8s.io'

export const roleRules: KindRules<Role> = { problems: ({ rules }) => ruleProblems(rules ?? [], true) }

export const clusterRoleRules: KindRules<ClusterRole> = { problems: ({ rules }) => ruleProblems(rules ?? [], false) }

function ruleProblems(rules: PolicyRule[], namespaced: boolean): FieldError[] {
  return rules.flatMap((rule, n) => {
    const path = `rules[${n}]`
    const problems: FieldError[] = []
    if (!rule.verbs?.length)
      problems.push(fieldErrors.required(`${path}.verbs`, 'verbs must contain at least one value'))
    if (rule.nonResourceURLs?.length) {
      if (namespaced) {
        const shown = `[]string{${rule.nonResourceURLs.map(quoteLikeGo).join(', ')}}`
        const message = `Invalid value: ${shown}: namespaced rules cannot apply to non-resource URLs`
        problems.push({ reason: 'FieldValueInvalid', message, field: `${path}.nonResourceURLs` })
      }
      return problems
    }
    if (!rule.apiGroups?.length)
      problems.push(fieldErrors.required(`${path}.apiGroups`, 'resource rules must supply at least one api group'))
    if (!rule.resources?.length)
      problems.push(fieldErrors.required(`${path}.resources`, 'resource rules must supply at least one resource'))
    return problems
  })
}

type Binding = RoleBinding | ClusterRoleBinding

const bindingRules = (roleKinds: readonly string[]): KindRules<Binding> => ({
  defaults(binding) {
    // Always present in the server's type, even if the body has none.
    binding.roleRef ??= { apiGroup: GROUP, kind: '', name: '' }
    binding.roleRef.apiGroup ||= GROUP
    for (const subject of binding.subjects ?? [])
      if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ??= GROUP
  },
  problems({ roleRef, subjects = [] }) {
    const problems: FieldError[] = []
    if (!roleKinds.includes(roleRef.kind))
      problems.push(fieldErrors.notSupported('roleRef.kind', quoteLikeGo(roleRef.kind), roleKinds))
    if (!roleRef.name) problems.push(fieldErrors.required('roleRef.name'))
    return [...problems, ...subjects.flatMap((subject, n) => subjectProblems(subject, `subjects[${n}]`))]
  },
  updateProblems(next, previous) {
    if (isDeepStrictEqual(next.roleRef, previous.roleRef)) return []
    const { apiGroup, kind, name } = next.roleRef
    const shown = `rbac.RoleRef{APIGroup:${quoteLikeGo(apiGroup)}, Kind:${quoteLikeGo(kind)}, Name:${quoteLikeGo(name)}}`
    return [
      { reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: cannot change roleRef`, field: 'roleRef' },
    ]
  },
})

const SUBJECTS = ['ServiceAccount', 'User', 'Group']

function subjectProblems({ kind, name, namespace }: Subject, path: string): FieldError[] {
  const problems: FieldError[] = []
  if (!name) problems.push(fieldErrors.required(`${path}.name`))
  if (!SUBJECTS.includes(kind)) problems.push(fieldErrors.notSupported(`${path}.kind`, quoteLikeGo(kind), SUBJECTS))
  if (kind === 'ServiceAccount' && !namespace) problems.push(fieldErrors.required(`${path}.namespace`))
  return problems
}

export const roleBindingRules = bindingRules(['Role', 'ClusterRole'])
export const clusterRoleBindingRules = bindingRules(['ClusterRole'])
