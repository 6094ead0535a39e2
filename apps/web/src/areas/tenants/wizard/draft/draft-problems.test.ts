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
  expect(Object.keys(problems({ nameTenant: { selectedStorageClass: '' } }).name)).toEqual(['selectedStorageClass'])
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

test('a volume has at least 1 Gi, a node at least 2 Gi of memory, and the total is limited by its class [WIZ-41] [WIZ-45]', () => {
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
  const classes = [...facts.classes, { name: 'fast', available: TiB }]
  const fast = draft({ nameTenant: { selectedStorageClass: 'fast' } })
  expect(draftSizing(fast, { ...facts, classes }).limitSize).toBe(TiB)
})

test('a parity that is no longer possible is replaced by the default', () => {
  expect(draftSizing(draft({ tenantSize: { ecParity: 'EC:7' } }), facts).ecParity).toBe('EC:2')
})

test('while the memory is loading, the step is invalid but shows no problem', () => {
  expect(problems({}, { memory: undefined }).size).toEqual({ memoryNode: '' })
  expect(problems({}, { memory: undefined, memoryProblem: 'no nodes' }).size).toEqual({ memoryNode: 'no nodes' })
})

test('a memory problem of the plan or of the cluster is shown at the memory [WIZ-42] [WIZ-43]', () => {
  const memory = (facts: Partial<ClusterFacts>, memoryNode = '2') =>
    problems({ tenantSize: { memoryNode } }, facts).size
  expect(memory({ memory: 0 })).toEqual({
    memoryNode: 'There is no memory available for the selected number of nodes',
  })
  expect(memory({ memory: 2 * GiB - 1 })).toEqual({ memoryNode: 'There are not enough memory resources available' })
  expect(memory({ memory: 2 * GiB })).toEqual({})
  for (const text of ['', ' ', '1', 'x'])
    expect(memory({}, text).memoryNode).toBe('Memory size must be greater than 2Gi')
})

test('a tenant has at least 4 servers with at least one drive each [WIZ-40]', () => {
  const size = (nodes: string, drivesPerServer: string) => problems({ tenantSize: { nodes, drivesPerServer } }).size
  expect(size('4', '1')).toEqual({})
  expect(size('3', '1')).toEqual({ nodes: 'Number of servers must be at least 4' })
  expect(size('', '1')).toEqual({ nodes: 'Field cannot be empty' })
  for (const drives of ['0', '', '1.5']) {
    expect(size('4', drives)).toEqual({ drivesPerServer: 'There must be at least one drive' })
  }
})

test('a namespace and a storage class are required [WIZ-10]', () => {
  const name = (namespace: string, selectedStorageClass: string, more: Partial<ClusterFacts> = {}) =>
    problems({ nameTenant: { namespace, selectedStorageClass } }, more).name
  expect(name('team-a', 'standard')).toEqual({})
  expect(name(' ', 'standard')).toEqual({ namespace: 'Field cannot be empty' })
  expect(name('team-a', 'standard', { classes: [] })).toEqual({ selectedStorageClass: 'Field cannot be empty' })
  expect(name('team-a', 'standard', { namespace: 'in use' })).toEqual({ namespace: 'in use' })
})

test('images have the form repository/name:tag, and a registry all of its fields [WIZ-14] [WIZ-15]', () => {
  const configure = (part: Partial<TenantDraft['configure']>) => problems({ configure: part }).configure
  expect(configure({ customImage: true, imageName: 'minio/minio:v1' })).toEqual({})
  for (const imageName of ['minio', 'minio/minio', 'minio:v1', 'minio/minio:'])
    expect(configure({ customImage: true, imageName }).imageName).toMatch(/^Format must be of form: 'minio\/minio:/)
  expect(configure({ customImage: false, imageName: 'minio' })).toEqual({})
  const registry = { imageRegistry: 'r', imageRegistryUsername: 'u', imageRegistryPassword: 'p' }
  expect(configure({ customImage: true, customDockerhub: true, ...registry })).toEqual({})
  for (const field of Object.keys(registry))
    expect(configure({ customImage: true, customDockerhub: true, ...registry, [field]: '' })).toEqual({
      [field]: 'Field cannot be empty',
    })
})

test('overrides of log search and Prometheus need a class and a size above 0 [WIZ-16]', () => {
  const configure = (part: Partial<TenantDraft['configure']>) => problems({ configure: part }).configure
  const size = 'Volume size must be present and be greatter than 0'
  const search = { logSearchCustom: true, logSearchSelectedStorageClass: 'fast' }
  const metrics = { prometheusCustom: true, prometheusSelectedStorageClass: 'fast' }
  expect(configure({ ...search, ...metrics })).toEqual({})
  for (const text of ['', '0', '-1', 'x']) {
    expect(configure({ ...search, logSearchVolumeSize: text })).toEqual({ logSearchVolumeSize: size })
    expect(configure({ ...metrics, prometheusVolumeSize: text })).toEqual({ prometheusVolumeSize: size })
  }
  expect(configure({ logSearchCustom: true })).toEqual({ logSearchSelectedStorageClass: 'Field cannot be empty' })
  expect(configure({ prometheusCustom: true })).toEqual({ prometheusSelectedStorageClass: 'Field cannot be empty' })
})

test('what each identity provider requires [WIZ-20] [WIZ-22] [WIZ-23]', () => {
  const idp = (part: Partial<TenantDraft['identityProvider']>) => problems({ identityProvider: part }).idp
  expect(Object.keys(idp({ idpSelection: 'OpenID' }))).toEqual([
    'url',
    'configuration_url',
    'client_id',
    'secret_id',
    'claim_name',
  ])
  expect(Object.keys(idp({ idpSelection: 'AD', userDNs: ['cn=a', ' '] }))).toEqual(['url', 'userDNs.1'])
  const keys = (accessKey: string, secretKey: string) =>
    Object.keys(idp({ idpSelection: 'Built-in', accessKeys: [accessKey], secretKeys: [secretKey] }))
  expect(keys('a-key-08', 'S'.repeat(63))).toEqual([])
  expect(keys('seven-7', 'eight-88')).toEqual(['accessKeys.0'])
  expect(keys('under_score', 's'.repeat(64))).toEqual(['accessKeys.0', 'secretKeys.0'])
})

test('Vault requires its endpoint and app role, with seconds from 0 [WIZ-32]', () => {
  const vault = { ...newTenantDraft().encryption.vault, endpoint: 'https://vault', id: 'role', secret: 'hidden' }
  const found = (part: Partial<typeof vault>) =>
    problems({ encryption: { enableEncryption: true, encryptionType: 'vault', vault: { ...vault, ...part } } })
      .encryption
  expect(found({ retry: '0', ping: '' })).toEqual({})
  for (const field of ['endpoint', 'id', 'secret'])
    expect(found({ [field]: ' ' })).toEqual({ [field]: 'Field cannot be empty' })
  for (const field of ['retry', 'ping'])
    expect(found({ [field]: '-1' })).toEqual({ [field]: 'Value needs to be 0 or greater' })
})

test('a node selector needs a complete label [WIZ-52]', () => {
  const affinity = (nodeSelectorLabels: string) =>
    problems({ affinity: { podAffinity: 'nodeSelector', nodeSelectorLabels } }).affinity
  expect(affinity('disk=ssd')).toEqual({})
  expect(affinity('=x&disk=ssd')).toEqual({})
  for (const labels of ['', 'disk=', '=ssd', 'disk=&=ssd'])
    expect(affinity(labels)).toEqual({ nodeSelectorLabels: 'You need to add at least one label key-pair' })
  expect(problems({ affinity: { podAffinity: 'none', nodeSelectorLabels: '' } }).affinity).toEqual({})
})

test('simple mode has three steps, advanced mode all eight in order [WIZ-02] [WIZ-03]', () => {
  expect(wizardSteps(newTenantDraft())).toEqual(['name', 'size', 'preview'])
  expect(wizardSteps(draft())).toEqual([
    'name',
    'configure',
    'affinity',
    'idp',
    'security',
    'encryption',
    'size',
    'preview',
  ])
})

test.each([
  ['media-1', undefined],
  ['ab', "Name only can contain lowercase letters, numbers and '-'. Min. Length: 3"],
  ['Media', "Name only can contain lowercase letters, numbers and '-'. Min. Length: 3"],
  ['me_dia', "Name only can contain lowercase letters, numbers and '-'. Min. Length: 3"],
  [' ', 'Field cannot be empty'],
])('the tenant name %j: %s [WIZ-09]', (tenantName, problem) =>
  expect(problems({ nameTenant: { tenantName } }).name.tenantName).toBe(problem),
)
