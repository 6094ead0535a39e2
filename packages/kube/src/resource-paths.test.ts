import { expect, test } from 'vitest'
import { KubeError } from './kube-error.ts'
import { resourcePath } from './resource-paths.ts'
import { resources } from './resources.ts'

test('paths of kinds and objects', () => {
  expect(resourcePath(resources.pods)).toBe('/api/v1/pods')
  expect(resourcePath(resources.pods, { namespace: 'a', name: 'b', subresource: 'log' })).toBe(
    '/api/v1/namespaces/a/pods/b/log',
  )
  expect(resourcePath(resources.nodes, { namespace: 'a', name: 'b' })).toBe('/api/v1/nodes/b')
  expect(resourcePath(resources.statefulSets, { namespace: 'a' })).toBe('/apis/apps/v1/namespaces/a/statefulsets')
  expect(resourcePath(resources.clusterRoles, { name: 'system:discovery' })).toBe(
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Adiscovery',
  )
})

test.each(['..', '.', 'a/b', '/', '%2e%2e', 'a%2Fb', ''])('%j is not a valid path segment', (name) => {
  expect(() => resourcePath(resources.secrets, { namespace: 'a', name })).toThrow(KubeError)
  expect(() => resourcePath(resources.secrets, { namespace: name, name: 'a' })).toThrow(KubeError)
})

test.each([
  ['a?dryRun=All', 'a%3FdryRun%3DAll'],
  ['a#b', 'a%23b'],
  ['user@host:1', 'user%40host%3A1'],
  ['a\\b', 'a%5Cb'],
])('%j remains one path segment', (name, encoded) => {
  expect(resourcePath(resources.secrets, { namespace: 'n', name })).toBe(`/api/v1/namespaces/n/secrets/${encoded}`)
})
