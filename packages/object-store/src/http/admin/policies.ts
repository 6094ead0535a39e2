import { MAX_POLICY_BYTES } from '@stowage/iam-policy'
import { S3Error } from '../../errors.ts'
import { getPolicy, listPolicies, removePolicy, setPolicy } from '../../iam/policies.ts'
import { readRaw } from '../body.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter, wireTime } from './payload.ts'

export const policyEndpoints: AdminEndpoint[] = [
  {
    name: 'ListCannedPolicies',
    method: 'GET',
    path: 'list-canned-policies',
    actions: ['ListUserPolicies'],
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
    actions: ['GetPolicy'],
    handle(call) {
      const name = parameter(call, 'name')
      const { document, createdAt, updatedAt } = getPolicy(call.store.iam, name)
      if (parameter(call, 'v') !== '2') return call.json(JSON.parse(document))
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
    actions: ['CreatePolicy'],
    async handle(call) {
      if (call.header('content-length') === undefined) {
        throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.')
      }
      const body = await readRaw(call, MAX_POLICY_BYTES)
      await setPolicy(call.store.iam, parameter(call, 'name'), body.toString('utf8'))
      call.empty(200)
    },
  },
  {
    name: 'RemoveCannedPolicy',
    method: 'DELETE',
    path: 'remove-canned-policy',
    query: ['name'],
    actions: ['DeletePolicy'],
    async handle(call) {
      await removePolicy(call.store.iam, parameter(call, 'name'))
      call.empty(200)
    },
  },
]
