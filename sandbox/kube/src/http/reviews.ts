import type { TokenReview } from 'kubernetes-types/authentication/v1'
import type {
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from 'kubernetes-types/authorization/v1'
import type { Authorizer, RbacAttributes } from '../auth/authorizer.ts'
import type { ServiceAccountTokens } from '../auth/tokens.ts'
import type { ReviewKind } from '../kinds/built-in-kinds.ts'
import { apiVersion, type KubeCaller } from '../kinds/kind.ts'
import type { KubeJsonObject } from '../object/json.ts'
import { type FieldError, kubeErrors } from '../object/kube-api-error.ts'

export interface Reviewers {
  readonly authorizer: Authorizer
  readonly tokens: ServiceAccountTokens
  readonly now: () => Date
}

/** Answers a question about rights or identity. @throws ApiError */
export async function answerReview(
  review: ReviewKind,
  body: KubeJsonObject,
  caller: KubeCaller,
  { authorizer, tokens, now }: Reviewers,
): Promise<object> {
  const type = { kind: review.kind, apiVersion: apiVersion(review), metadata: { creationTimestamp: null } }
  switch (review.kind) {
    case 'SelfSubjectReview': {
      const creationTimestamp = now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z')
      return { ...type, metadata: { creationTimestamp }, status: { userInfo: shown(caller) } }
    }
    case 'TokenReview': {
      const { spec } = body as unknown as TokenReview
      if (!spec?.token) throw kubeErrors.badRequest('token is required for TokenReview in authentication')
      const found = await tokens.authenticate(spec.token, spec.audiences?.length ? spec.audiences : undefined)
      if (!found) return { ...type, spec, status: { user: {}, error: 'invalid bearer token' } }
      return { ...type, spec, status: { authenticated: true, user: shown(found), audiences: found.audiences } }
    }
    case 'SelfSubjectAccessReview': {
      const { spec } = body as unknown as SelfSubjectAccessReview
      return { ...type, spec, status: reviewStatus(authorizer, caller, spec) }
    }
    case 'SubjectAccessReview': {
      const { spec } = body as unknown as SubjectAccessReview
      const { user = '', groups = [], uid } = spec ?? {}
      if (user === '' && groups.length === 0) {
        const message = 'Invalid value: "": at least one of user or group must be specified'
        throw invalid({ reason: 'FieldValueInvalid', message, field: 'spec.user' })
      }
      const { groups: _, ...others } = spec ?? {}
      const subject = { username: user, uid, groups: [...groups, 'system:authenticated'] }
      return {
        ...type,
        spec: groups.length > 0 ? spec : others,
        status: reviewStatus(authorizer, groups.length > 0 ? { ...subject, groups } : { ...subject, groups: [] }, spec),
      }
    }
    default: {
      const { spec } = body as unknown as SelfSubjectRulesReview
      if (!spec?.namespace) throw kubeErrors.badRequest('no namespace on request')
      const rules = authorizer.rules(caller, spec.namespace)
      const resourceRules = rules
        .filter(({ resources }) => resources?.length)
        .map(({ verbs, apiGroups, resources, resourceNames }) => ({
          verbs,
          apiGroups,
          resources,
          ...(resourceNames?.length ? { resourceNames } : {}),
        }))
      const nonResourceRules = rules
        .filter(({ nonResourceURLs }) => nonResourceURLs?.length)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }))
      // The server does not repeat the question.
      return { ...type, spec: {}, status: { resourceRules, nonResourceRules, incomplete: false } }
    }
  }
}

function shown({ username, uid, groups, extra }: KubeCaller): object {
  return { username, ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) }
}

type AskedAttributes = Pick<
  NonNullable<SelfSubjectAccessReview['spec']>,
  'resourceAttributes' | 'nonResourceAttributes'
>

function reviewStatus(authorizer: Authorizer, caller: KubeCaller, spec: AskedAttributes | undefined): object {
  const { allowed, reason } = authorizer.decide(caller, reviewedAttributes(spec ?? {}))
  return { allowed, ...(reason === '' ? {} : { reason }) }
}

function reviewedAttributes({
  resourceAttributes: asked,
  nonResourceAttributes: path,
}: AskedAttributes): RbacAttributes {
  if (asked && path) {
    const shownPath = `authorization.NonResourceAttributes{Path:${JSON.stringify(path.path ?? '')}, Verb:${JSON.stringify(path.verb ?? '')}}`
    const message = `Invalid value: ${shownPath}: cannot be specified in combination with resourceAttributes`
    throw invalid({ reason: 'FieldValueInvalid', message, field: 'spec.nonResourceAttributes' })
  }
  if (path) return { verb: path.verb ?? '', path: path.path ?? '' }
  if (!asked) {
    const message =
      'Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified'
    throw invalid({ reason: 'FieldValueInvalid', message, field: 'spec.resourceAttributes' })
  }
  const { verb = '', group = '', resource = '', subresource, namespace, name } = asked
  return { verb, group, resource, subresource, namespace, name }
}

function invalid(cause: FieldError) {
  return kubeErrors.invalid({ kind: '', group: 'authorization.k8s.io' }, '', [cause])
}
