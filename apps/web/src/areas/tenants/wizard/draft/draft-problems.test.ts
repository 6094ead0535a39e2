import { GiB, TiB } from '@stowage/contract/values/units'
import { expect, test } from 'vitest'
import { t } from '../../../../lib/text/i18n.ts'
import { emptyCertificatePair } from '../../certificates/certificate-pairs.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { draftProblems, mayEncrypt, validSteps, wizardSteps } from './draft-problems.ts'
import { draftSizing } from './draft-sizing.ts'
import { type DraftSection, newTenantDraft, type TenantDraft, updateDraft } from './tenant-draft.ts'

const facts: ClusterFacts = {
  namespace: '',
  classes: [{ name: 'standard', available: 2 * TiB }],
  memory: 16 * GiB,
  memoryProblem: '',
}
const full = { ...emptyCertificatePair(), cert: 'a.crt', key: 'a.key', encoded_cert: 'QQ==', encoded_key: 'Qg==' }

/** Returns a draft in advanced mode with some fields changed. */
function draft(changes: { [S in DraftSection]?: Partial<TenantDraft[S]> } = {}): TenantDraft {
  const named = updateDraft(newTenantDraft(), 'nameTenant', {
    tenantName: 'media',
    namespace: 'team-a',
    selectedStorageClass: 'standard',
  })
  const start: TenantDraft = { ...named, advancedModeOn: true }
  return (Object.entries(changes) as [DraftSection, never][]).reduce(
    (before, [section, part]) => updateDraft(before, section, part),
    start,
  )
}
const problems = (changes?: Parameters<typeof draft>[0], more: Partial<ClusterFacts> = {}) =>
  draftProblems(t, draft(changes), { ...facts, ...more })

test('a new draft has no valid first step; with names every step is valid [WIZ-56]', () => {
  const unasked: ClusterFacts = { namespace: undefined, classes: [], memory: undefined, memoryProblem: '' }
  const fresh = newTenantDraft()
  expect(validSteps(draftProblems(t, fresh, unasked), wizardSteps(fresh))).toEqual(['preview'])
  expect(validSteps(problems(), wizardSteps(draft()))).toEqual(wizardSteps(draft()))
  expect(wizardSteps(draft())).toHaveLength(8)
})

test.each([
  ['Alpha', 'Name only can contain'],
  ['ab', 'Name only can contain'],
  ['1abc', 'must begin with a letter'],
  ['-abc', 'must begin with a letter'],
  ['abc-', 'end with a letter or a digit'],
  ['a'.repeat(46), 'at most 45 characters'],
])('%s is not the name of a tenant', (tenantName, problem) => {
  expect(problems({ nameTenant: { tenantName } }).name.tenantName).toContain(problem)
})

test('a name that leaves room for those of its pods is valid', () => {
  for (const tenantName of ['a1b', 'a'.repeat(45)])
    expect(problems({ nameTenant: { tenantName } }).name).not.toHaveProperty('tenantName')
})

test('TLS needs certificates: automatic or custom [WIZ-26]', () => {
  const security = (enableTLS: boolean, enableAutoCert: boolean, enableCustomCerts: boolean) =>
    Object.keys(problems({ security: { enableTLS, enableAutoCert, enableCustomCerts } }).security)
  expect(security(false, false, false)).toEqual([])
  expect(security(true, true, false)).toEqual([])
  expect(security(true, false, true)).toEqual([])
  expect(security(true, false, false)).toEqual(['enableTLS'])
})

test('encryption needs TLS, and automatic certificates or a complete pair [WIZ-31]', () => {
  const own = (enableAutoCert: boolean, pair = full, enableTLS = true) =>
    mayEncrypt(
      draft({
        security: { enableTLS, enableAutoCert, enableCustomCerts: true },
        certificates: { minioCertificates: [emptyCertificatePair(), pair] },
      }),
    )
  expect(own(true, emptyCertificatePair())).toBe(true)
  expect(own(false)).toBe(true)
  expect(own(false, { ...full, encoded_key: '' })).toBe(false)
  expect(own(true, full, false)).toBe(false)
})

test('with custom certificates and no automatic ones, both pairs of the key server are required [WIZ-31]', () => {
  const vault = { ...newTenantDraft().encryption.vault, endpoint: 'https://vault', id: 'role', secret: 'hidden' }
  const of = (enableAutoCert: boolean, pairs = {}) =>
    Object.keys(
      problems({
        encryption: { enableEncryption: true, enableCustomCertsForKES: true, vault },
        security: { enableAutoCert, enableCustomCerts: true },
        certificates: { minioCertificates: [full], ...pairs },
      }).encryption,
    )
  expect(of(true)).toEqual([])
  expect(of(false)).toEqual(['serverCertificate', 'clientCertificate'])
  expect(of(false, { serverCertificate: full })).toEqual(['clientCertificate'])
  expect(of(false, { serverCertificate: full, clientCertificate: { ...full, encoded_cert: '' } })).toEqual([
    'clientCertificate',
  ])
  expect(of(false, { serverCertificate: full, clientCertificate: full })).toEqual([])
})

test.each([
  ['vault', ['endpoint', 'id', 'secret']],
  ['aws', ['endpoint', 'region', 'accesskey', 'secretkey']],
  ['gemalto', ['endpoint', 'token', 'domain']],
  ['gcp', ['project_id']],
] as const)('what %s requires [WIZ-33]', (encryptionType, required) => {
  const found = problems({ encryption: { enableEncryption: true, encryptionType } }).encryption
  expect(Object.keys(found)).toEqual(required)
  expect(new Set(Object.values(found))).toEqual(new Set(['Field cannot be empty']))
})

test('seconds are 0 or more [WIZ-33]', () => {
  const retry = (text: string) =>
    problems({
      encryption: {
        enableEncryption: true,
        encryptionType: 'gemalto',
        gemalto: { endpoint: 'https://keys', token: 'x', domain: 'root', retry: text },
      },
    }).encryption
  expect(retry('0')).toEqual({})
  for (const text of ['-1', '1.5', 'soon']) expect(retry(text)).toEqual({ retry: 'Value needs to be 0 or greater' })
})

test('a volume has at least 1 Gi, a node at least 2 Gi of memory, and the total is limited by its class [WIZ-45]', () => {
  const size = (volumeSize: string, more: Partial<TenantDraft['tenantSize']> = {}, other: Partial<ClusterFacts> = {}) =>
    problems({ tenantSize: { volumeSize, ...more } }, other).size
  expect(size('1').volumeSize).toBe('Volume size must be greater than 1Gi and less than 2.0 TiB')
  expect(size('3').volumeSize).toMatch(/less than 1Gi/)
  expect(size('4')).toEqual({})
  expect(size('2', { sizeFactor: 'Ti' }).volumeSize).toBe('Volume size must be greater than 1Gi and less than 2.0 TiB')
  expect(size('1', { sizeFactor: 'Ti' })).toEqual({})
  const large = { classes: [{ name: 'standard', available: 200 * TiB }] }
  expect(size('48', { sizeFactor: 'Ti' }, large)).toEqual({})
  expect(size('49', { sizeFactor: 'Ti' }, large).volumeSize).toBe('We were not able to allocate this server.')
  expect(size('100', { memoryNode: '1.9' }).memoryNode).toBe('Memory size must be greater than 2Gi')
  expect(size('100', { memoryNode: '2' })).toEqual({})
})

test('the size determines parity, memory, distribution, limit and capacity [WIZ-39]', () => {
  const sizing = draftSizing(draft({ tenantSize: { drivesPerServer: '4', memoryNode: '3', ecParity: 'EC:3' } }), facts)
  expect(sizing).toEqual({
    ecParity: 'EC:3',
    ecParityChoices: ['EC:8', 'EC:7', 'EC:6', 'EC:5', 'EC:4', 'EC:3', 'EC:2'],
    maxAllocatableMemo: 16 * GiB,
    memorySize: { problem: '', request: 3 * GiB, limit: 3 * GiB },
    distribution: { problem: '', nodes: 4, volumes: 16, drives: 4, size: 6.25 * GiB },
    limitSize: 2 * TiB,
    ecParityCalc: { parity: 'EC:3', set: 16, raw: 100 * GiB, usable: 81.25 * GiB, serverFailures: 0 },
  })
})

test('a parity that is no longer possible is replaced by the default', () => {
  expect(draftSizing(draft({ tenantSize: { ecParity: 'EC:7' } }), facts).ecParity).toBe('EC:2')
})

test('while the memory is loading, the step is invalid but shows no problem', () => {
  expect(problems({}, { memory: undefined }).size).toEqual({ memoryNode: '' })
  expect(problems({}, { memory: undefined, memoryProblem: 'no nodes' }).size).toEqual({ memoryNode: 'no nodes' })
})
