import { MAX_POLICY_BYTES } from '@stowage/iam-policy'
import { getPolicy, listPolicies, removePolicy, setPolicy } from '../../../iam/policies.ts'
import { S3Error } from '../../../lib/errors.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, wireTime } from '../endpoint/payload.ts'

export const adminPolicyEndpoints: AdminEndpoint[] = [
  {
    name: 'ListCannedPolicies',
    method: 'GET',
    path: 'list-canned-policies',
    handle(call) {
      const policies = [...listPolicies(call.store.iam)].map(([name, { document }]) => [name, JSON.parse(document)])
      call.json(Object.fromEntries(policies))
    },
  },
  {
    name: 'InfoCannedPolicy',
    method: 'GET',
    path: 'info-canned-policy',
    query: ['name'],
    handle(call) {
      const name = queryParameter(call, 'name')
      const { document, createdAt, updatedAt } = getPolicy(call.store.iam, name)
      if (queryParameter(call, 'v') !== '2') return call.json(JSON.parse(document))
      call.json({
        PolicyName: name,
        Policy: JSON.parse(document),
        ...(createdAt === undefined ? {} : { CreateDate: wireTime(createdAt) }),
        ...(updatedAt === undefined ? {} : { UpdateDate: wireTime(updatedAt) }),
      })
    },
  },
  {
    name: 'AddCannedPolicy',
    method: 'PUT',
    path: 'add-canned-policy',
    query: ['name'],
    async handle(call) {
      if (call.header('content-length') === undefined) {
        throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.')
      }
      const body = await readRequestBody(call, MAX_POLICY_BYTES)
      await setPolicy(call.store.iam, queryParameter(call, 'name'), body.toString('utf8'))
      call.empty(200)
    },
  },
  {
    name: 'RemoveCannedPolicy',
    method: 'DELETE',
    path: 'remove-canned-policy',
    query: ['name'],
    async handle(call) {
      await removePolicy(call.store.iam, queryParameter(call, 'name'))
      call.empty(200)
    },
  },
]
