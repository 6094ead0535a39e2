import { expect, test } from 'vitest'
import * as kube from './index.ts'

test('the public names', () => {
  expect(Object.keys(kube).sort()).toMatchInlineSnapshot(`
    [
      "CONSOLE_LABEL",
      "KUBE_REASONS",
      "KubeError",
      "POOL_LABEL",
      "TENANT_LABEL",
      "defineResource",
      "formatApiVersion",
      "openCluster",
      "readKubeconfig",
      "resources",
      "tenants",
    ]
  `)
})
