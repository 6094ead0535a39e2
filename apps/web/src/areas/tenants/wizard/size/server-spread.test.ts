import type { ClusterNode } from '@stowage/contract'
import { GiB } from '@stowage/contract/values/units'
import { expect, test } from 'vitest'
import type { ClusterFacts } from '../draft/cluster-facts.ts'
import { draftSizing } from '../draft/draft-sizing.ts'
import { newTenantDraft, type TenantDraft, updateDraft } from '../draft/tenant-draft.ts'
import { serverSpread, serverVolumes } from './server-spread.ts'

const node = (n: number, change: Partial<ClusterNode> = {}): ClusterNode => ({
  name: `node${n}`,
  labels: { zone: `z${n % 2}` },
  closed: '',
  memory: 64 * GiB,
  memory_left: (10 + n) * GiB,
  ...change,
})
const nodes = [1, 2, 3, 4, 5].map((n) => node(n))

function spread(draft: TenantDraft, given: readonly ClusterNode[] | null = nodes) {
  const facts: ClusterFacts = {
    namespace: '',
    classes: [],
    memory: 64 * GiB,
    memoryProblem: '',
    nodes: given ?? undefined,
  }
  const found = serverSpread(draft, facts, draftSizing(draft, facts))
  return found && { ...found, placed: found.placed.map((each) => `${each.node.name}: ${each.servers.join()}`) }
}
const advanced = (affinity: Partial<TenantDraft['affinity']>, size: Partial<TenantDraft['tenantSize']> = {}) =>
  updateDraft(updateDraft({ ...newTenantDraft(), advancedModeOn: true }, 'affinity', affinity), 'tenantSize', size)

test('each server gets a node of its own, those with the most memory left first', () => {
  expect(spread(newTenantDraft())).toMatchObject({
    placed: ['node5: 0', 'node4: 1', 'node3: 2', 'node2: 3'],
    unplaced: 0,
    isOnePerNode: true,
    memory: 2 * GiB,
  })
})

test('servers without a node are counted: nodes that are closed, or lack memory, take none', () => {
  const closed = [node(1, { closed: 'unschedulable' }), ...nodes.slice(1)]
  expect(spread(updateDraft(newTenantDraft(), 'tenantSize', { nodes: '5' }), closed)).toMatchObject({
    placed: ['node5: 0', 'node4: 1', 'node3: 2', 'node2: 3'],
    closed: [{ name: 'node1' }],
    unplaced: 1,
  })
  expect(spread(advanced({}, { memoryNode: '13' }))).toMatchObject({
    placed: ['node5: 0', 'node4: 1', 'node3: 2'],
    unplaced: 1,
  })
  // Without the right to list pods, the memory left is unknown.
  const unknown = nodes.map((each) => ({ ...each, memory_left: null }))
  expect(spread(advanced({}, { memoryNode: '13' }), unknown)?.unplaced).toBe(0)
})

test('without anti-affinity a node takes several servers, as far as its memory reaches', () => {
  const two = [node(1, { memory_left: 9 * GiB }), node(2, { memory_left: 5 * GiB })]
  expect(spread(advanced({ podAffinity: 'none' }, { memoryNode: '3' }), two)).toMatchObject({
    placed: ['node1: 0,2,3', 'node2: 1'],
    isOnePerNode: false,
    unplaced: 0,
  })
  expect(spread(advanced({ podAffinity: 'none' }, { memoryNode: '4' }), two)?.unplaced).toBe(1)
})

test('only nodes with the selected labels count', () => {
  const selector = { podAffinity: 'nodeSelector', nodeSelectorLabels: 'zone=z1' } as const
  expect(spread(advanced(selector))).toMatchObject({ placed: ['node5: 0', 'node3: 1', 'node1: 2'], unplaced: 1 })
  expect(spread(advanced({ ...selector, withPodAntiAffinity: false }))).toMatchObject({
    isOnePerNode: false,
    unplaced: 0,
  })
  // In simple mode the selector is not in force.
  expect(spread({ ...advanced(selector), advancedModeOn: false })?.unplaced).toBe(0)
})

test('nothing is known without nodes or with an invalid size', () => {
  expect(spread(newTenantDraft(), null)).toBeUndefined()
  expect(spread(updateDraft(newTenantDraft(), 'tenantSize', { nodes: '' }))).toBeUndefined()
})

test('volumes are numbered by set and place', () => {
  expect(serverVolumes(0, 4, 1)).toEqual(['1.1'])
  // 8 servers with 4 drives: two sets of 16, each with two drives of every server.
  expect(serverVolumes(0, 8, 4)).toEqual(['1.1', '1.9', '2.1', '2.9'])
  expect(serverVolumes(7, 8, 4)).toEqual(['1.8', '1.16', '2.8', '2.16'])
  // 32 servers with one drive: two sets of 16 servers.
  expect(serverVolumes(17, 32, 1)).toEqual(['2.2'])
  expect(serverVolumes(0, 17, 1)).toEqual([])
})
