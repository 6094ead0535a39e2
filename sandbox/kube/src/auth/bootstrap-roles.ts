import type { PolicyRule, Subject } from 'kubernetes-types/rbac/v1'

const group = (name: string): Subject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name })
const everybodyKnown = [group('system:authenticated')]

/** Built-in roles, and the subjects that they are bound to under the same name. */
export const BOOTSTRAP_ROLES: readonly { name: string; rules: PolicyRule[]; subjects: Subject[] }[] = [
  {
    name: 'cluster-admin',
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
    subjects: [group('system:masters')],
  },
  {
    name: 'system:basic-user',
    rules: [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ],
    subjects: everybodyKnown,
  },
  {
    name: 'system:discovery',
    rules: [
      {
        verbs: ['get'],
        nonResourceURLs: [
          ...['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*'],
          ...['/readyz', '/version', '/version/'],
        ],
      },
    ],
    subjects: everybodyKnown,
  },
  {
    name: 'system:public-info-viewer',
    rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] }],
    subjects: [group('system:authenticated'), group('system:unauthenticated')],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      {
        verbs: ['get'],
        nonResourceURLs: [
          ...['/.well-known/openid-configuration', '/.well-known/openid-configuration/'],
          ...['/openid/v1/jwks', '/openid/v1/jwks/'],
        ],
      },
    ],
    subjects: [group('system:serviceaccounts')],
  },
]
