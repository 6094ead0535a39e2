import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1'
import { type FieldError, fieldErrors } from '../object/kube-api-error.ts'
import type { KindRules } from './kind.ts'

type Request = CertificateSigningRequest

export const certificateSigningRequestRules: KindRules<Request> = {
  prepareCreate(request, { caller }) {
    request.spec = {
      ...request.spec,
      username: caller.username,
      ...(caller.uid === undefined ? {} : { uid: caller.uid }),
      groups: [...caller.groups],
      ...(caller.extra === undefined ? {} : { extra: caller.extra }),
    }
    request.status = {}
  },
  prepareUpdate(next, previous) {
    next.spec = previous.spec
    if (previous.status) next.status = previous.status
  },
  problems({ spec }) {
    const problems: FieldError[] = []
    const text = Buffer.from(spec.request ?? '', 'base64').toString('utf8')
    if (!text.includes('-----BEGIN CERTIFICATE REQUEST-----'))
      problems.push(fieldErrors.invalid('spec.request', spec.request, 'PEM block type must be CERTIFICATE REQUEST'))
    if (!spec.usages?.length) problems.push(fieldErrors.required('spec.usages'))
    if (!spec.signerName?.includes('/'))
      problems.push(
        fieldErrors.invalid(
          'spec.signerName',
          spec.signerName,
          'must be a fully qualified domain and path of the form "example.com/signer-name"',
        ),
      )
    return problems
  },
  prepareSubresource: {
    status(next, previous) {
      next.spec = previous.spec
      const { conditions, ...status } = next.status ?? {}
      const kept = previous.status?.conditions
      const added = conditions?.filter(({ type }) => type === 'Failed') ?? []
      next.status = { ...status, ...(kept || added.length ? { conditions: [...(kept ?? []), ...added] } : {}) }
    },
    approval(next, previous, { now }) {
      next.spec = previous.spec
      const time = now.toISOString().replace(/\.\d+Z$/, 'Z')
      const conditions = (next.status?.conditions ?? []).map((condition) => {
        const before = previous.status?.conditions?.find(({ type }) => type === condition.type)
        return {
          ...condition,
          lastUpdateTime: condition.lastUpdateTime ?? time,
          lastTransitionTime: before?.lastTransitionTime ?? time,
        }
      })
      next.status = { ...previous.status, conditions }
    },
  },
  subresourceProblems(next, previous) {
    const conditions = next.status?.conditions ?? []
    const problems: FieldError[] = []
    for (const [n, { type, status }] of conditions.entries())
      if ((type === 'Approved' || type === 'Denied') && status !== 'True')
        problems.push(fieldErrors.notSupported(`status.conditions[${n}].status`, JSON.stringify(status), ['True']))
    const types = new Set(conditions.map(({ type }) => type))
    if (types.has('Approved') && types.has('Denied'))
      problems.push(
        fieldErrors.invalid('status.conditions', 'Denied', 'Approved and Denied conditions are mutually exclusive'),
      )
    for (const { type } of previous.status?.conditions ?? [])
      if (!types.has(type))
        problems.push(
          fieldErrors.forbidden(
            'status.conditions',
            `updates may not remove a condition of type ${JSON.stringify(type)}`,
          ),
        )
    return problems
  },
  // Also called with an object that has no members, for the names.
  fields: ({ spec }: Partial<Request>) => ({ 'spec.signerName': spec?.signerName ?? '' }),
}
