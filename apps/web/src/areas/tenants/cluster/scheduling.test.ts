import { expect, test } from 'vitest'
import { parseScheduling } from './scheduling.ts'

test('nodes are counted by cause, with what helps against each', () => {
  expect(
    parseScheduling(
      "0/12 nodes are available: 2 node(s) had untolerated taint {dedicated: gpu}, 3 Insufficient memory, 7 node(s) didn't match pod anti-affinity rules.",
    ),
  ).toEqual({
    causes: [
      { count: 7, cause: "didn't match pod anti-affinity rules" },
      { count: 3, cause: 'Insufficient memory' },
      { count: 2, cause: 'had untolerated taint {dedicated: gpu}' },
    ],
    remedies: [
      'Give the pool a toleration, or remove the taint from a node.',
      'Lower the memory request of the pool, or free memory on a node.',
      'Add a node: a node runs one server of the pool.',
    ],
    rest: '',
  })
})

test('causes with dots and commas stay whole, and preemption is left out', () => {
  const message =
    '0/4 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 3 Insufficient cpu. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod. PersistentVolumeClaim/data0: lost'
  expect(parseScheduling(message)).toMatchObject({
    causes: [
      { count: 3, cause: 'Insufficient cpu' },
      { count: 1, cause: 'had untolerated taint {node-role.kubernetes.io/control-plane: }' },
    ],
    rest: 'PersistentVolumeClaim/data0: lost',
  })
})

test.each([
  '',
  'CrashLoopBackOff',
  '0/4 nodes are available: there are none.',
  'pod has unbound immediate PersistentVolumeClaims',
])('the message %j is not split', (message) => expect(parseScheduling(message)).toBeUndefined())
