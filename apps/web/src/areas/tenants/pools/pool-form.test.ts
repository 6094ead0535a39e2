import type { Pool } from '@stowage/contract'
import { GiB } from '@stowage/contract/values/units'
import { expect, test } from 'vitest'
import { t } from '../../../lib/text/i18n.ts'
import { defaultAffinity, nodeAffinity } from '../cluster/affinity.ts'
import {
  mergePoolValues,
  newToleration,
  type PoolValues,
  poolDifferences,
  poolProblems,
  poolValues,
  updatedPools,
} from './pool-form.ts'

const plain: Pool = {
  name: 'pool-0',
  servers: 4,
  volumes_per_server: 2,
  volume_configuration: { size: 10 * GiB, storage_class_name: 'standard' },
  tolerations: [],
}
const other: Pool = { ...plain, name: 'pool-1', affinity: { podAffinity: { any: 'thing' } } }

/** The request of a form in which `part` was typed. */
const sent = (pool: Pool, part: Partial<PoolValues>) =>
  updatedPools('media', pool.name, { ...poolValues(pool), ...part }, [pool, other])

const { affinity: _, tolerations: __, ...same } = plain

test('fields that were not changed are not sent', () => {
  const full: Pool = {
    ...plain,
    resources: { requests: { memory: 3 * GiB, cpu: 2 } },
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } },
    tolerations: [{ key: 'a', value: 'b', tolerationSeconds: 5, effect: 'NoExecute' }],
    securityContext: { runAsUser: 1000, runAsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  }
  expect(sent(full, {})).toEqual([same, { ...same, name: 'pool-1' }])
  expect(poolValues(full).placement.podAffinity).toBe('own')
})

test('memory is sent in bytes, together with the amounts of other resources', () => {
  const pool: Pool = { ...plain, resources: { requests: { memory: 2 * GiB, cpu: 2 }, limits: { memory: 4 * GiB } } }
  expect(poolValues(pool)).toMatchObject({ memoryRequest: '2', memoryLimit: '4' })
  expect(sent(pool, { memoryRequest: '2.5', memoryLimit: '' })[0]?.resources).toEqual({
    requests: { memory: 2.5 * GiB, cpu: 2 },
    limits: {},
  })
})

test('each choice of placement is recognized again', () => {
  const label = { key: 'disk', value: 'nvme' }
  const cases = [
    ['none', undefined],
    ['default', defaultAffinity('media', 'pool-0')],
    ['nodeSelector', nodeAffinity([label], undefined)],
    ['nodeSelector', nodeAffinity([label], { tenant: 'media', pool: 'pool-0' })],
    ['own', defaultAffinity('media', 'another-pool')],
    ['own', {}],
  ] as const
  for (const [choice, affinity] of cases) {
    const pool = { ...plain, ...(affinity ? { affinity } : {}) }
    const { placement } = poolValues(pool)
    expect(placement.podAffinity).toBe(choice)
    // Chosen for a pool without an affinity, it makes the same one.
    if (choice === 'nodeSelector' || choice === 'default')
      expect(sent(plain, { placement })[0]?.affinity).toEqual(affinity)
  }
  const spread = { ...plain, affinity: defaultAffinity('media', 'pool-0') }
  const none = { ...poolValues(spread).placement, podAffinity: 'none' as const }
  expect(sent(spread, { placement: none })[0]?.affinity).toBeNull()
})

test('tolerations, the security context and the runtime class are sent as the contract has them, or removed', () => {
  const tolerations = [
    { ...newToleration, key: ' storage ', effect: 'NoExecute', seconds: '60' },
    { ...newToleration, key: 'a', operator: 'Equal', value: 'b' },
  ]
  const context = { hasContext: true, runAsUser: '1000', runAsGroup: '2000', fsGroup: '', runAsNonRoot: false }
  expect(sent(plain, { tolerations, ...context, runtimeClassName: 'kata' })[0]).toEqual({
    ...same,
    tolerations: [
      { key: 'storage', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: { seconds: 60 } },
      { key: 'a', operator: 'Equal', value: 'b' },
    ],
    securityContext: { runAsUser: '1000', runAsGroup: '2000', runAsNonRoot: false },
    runtimeClassName: 'kata',
  })
  const group = { fsGroup: '3000', fsGroupChangePolicy: 'OnRootMismatch' }
  expect(sent(plain, { ...context, ...group })[0]?.securityContext).toMatchObject(group)
  const full: Pool = { ...plain, securityContext: { runAsUser: 1, runAsGroup: 1 }, runtimeClassName: 'kata' }
  expect(sent(full, { hasContext: false, runtimeClassName: '' })[0]).toMatchObject({
    securityContext: null,
    runtimeClassName: null,
  })
})

test('a change is applied to the present state, and what both have changed is shown', () => {
  const opened = poolValues({ ...plain, resources: { requests: { memory: GiB } } })
  const now = poolValues({ ...plain, resources: { requests: { memory: 3 * GiB } }, runtimeClassName: 'kata' })
  const values = { ...opened, memoryRequest: '2' }
  expect(mergePoolValues(opened, values, now)).toEqual({ ...now, memoryRequest: '2' })
  expect(poolDifferences(t, opened, values, now)).toEqual([
    { label: 'Memory Request (Gi)', yours: '2', theirs: '3' },
    { label: 'Runtime Class', yours: '', theirs: 'kata' },
  ])
})

test('problems are named at their fields', () => {
  const problems = (part: Partial<PoolValues>) => Object.keys(poolProblems(t, { ...poolValues(plain), ...part }))
  expect(problems({})).toEqual([])
  expect(problems({ memoryRequest: '4', memoryLimit: '2' })).toEqual(['memoryLimit'])
  expect(problems({ memoryRequest: '0', memoryLimit: '1e3' })).toEqual(['memoryRequest', 'memoryLimit'])
  const placement = { podAffinity: 'nodeSelector', withPodAntiAffinity: true, nodeSelectorLabels: '=' } as const
  expect(problems({ placement })).toEqual(['nodeSelectorLabels'])
  const rows = [{ ...newToleration, operator: 'Equal', effect: 'NoSchedule', seconds: '5' }]
  expect(problems({ tolerations: rows })).toEqual(['key.0', 'seconds.0'])
  expect(problems({ tolerations: [{ ...newToleration, effect: 'NoExecute', seconds: '1.5' }] })).toEqual(['seconds.0'])
  expect(problems({ hasContext: true, runAsUser: '0', fsGroup: 'x' })).toEqual(['runAsGroup', 'fsGroup', 'runAsUser'])
  expect(problems({ runtimeClassName: 'Kata' })).toEqual(['runtimeClassName'])
})
