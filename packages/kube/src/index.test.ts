import { expect, test } from 'vitest'
import * as kube from './index.ts'

test('the public names', () => {
  expect(Object.keys(kube).sort()).toMatchInlineSnapshot(`
    [
      "KUBE_REASONS",
      "KubeError",
      "apiVersionOf",
      "openCluster",
      "readKubeconfig",
      "resource",
      "resources",
    ]
  `)
})
