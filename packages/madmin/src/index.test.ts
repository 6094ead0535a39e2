import { expect, test } from 'vitest'
import * as madmin from './index.ts'
import * as sealing from './sealing.ts'

test('the public names', () => {
  expect(Object.keys(madmin).sort()).toMatchInlineSnapshot(`
    [
      "MADMIN_CODES",
      "MadminError",
      "STS_CODES",
      "StsError",
      "assumeRole",
      "createMadmin",
      "createTransport",
    ]
  `)
  expect(Object.keys(sealing).sort()).toMatchInlineSnapshot(`
    [
      "SealingError",
      "isSealed",
      "open",
      "seal",
    ]
  `)
})

test('the calls of an admin client', () => {
  const client = madmin.createMadmin({ endpoint: 'http://localhost', credentials: { accessKey: 'a', secretKey: 's' } })
  expect(Object.keys(client)).toMatchInlineSnapshot(`
    [
      "accountInfo",
      "addGroupMembers",
      "addPolicy",
      "addServiceAccount",
      "addUser",
      "attachPolicies",
      "clusterHealth",
      "dataUsage",
      "deleteServiceAccount",
      "detachPolicies",
      "getBucketQuota",
      "getGroup",
      "getPolicy",
      "getServiceAccount",
      "getUser",
      "isLive",
      "isReady",
      "listGroups",
      "listPolicies",
      "listPolicyEntities",
      "listServiceAccounts",
      "listUsers",
      "removeGroup",
      "removeGroupMembers",
      "removePolicy",
      "removeUser",
      "revokeTokens",
      "serverInfo",
      "service",
      "setBucketQuota",
      "setGroupStatus",
      "setPolicyMapping",
      "setUserStatus",
      "storageInfo",
      "updateServiceAccount",
    ]
  `)
})
