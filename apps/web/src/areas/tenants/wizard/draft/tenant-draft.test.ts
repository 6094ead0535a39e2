import { expect, test } from 'vitest'
import { emptyCertificatePair, withoutPair } from '../../certificates/certificate-pairs.ts'
import { newTenantDraft, nodeLabelsText, parseNodeLabels, updateDraft } from './tenant-draft.ts'

const pair = { id: expect.any(Number), cert: '', key: '', encoded_cert: '', encoded_key: '' }

test('the wizard starts in simple mode, at its first step, without names [WIZ-56]', () => {
  expect(newTenantDraft()).toMatchObject({
    advancedModeOn: false,
    page: 'name',
    nameTenant: { tenantName: '', namespace: '', selectedStorageClass: '' },
  })
})

test('both services are exposed, and the volumes beside the servers have 5 Gi [WIZ-17] [WIZ-18]', () => {
  expect(newTenantDraft().configure).toEqual({
    customImage: false,
    imageName: '',
    kesImage: '',
    customDockerhub: false,
    imageRegistry: '',
    imageRegistryUsername: '',
    imageRegistryPassword: '',
    exposeMinIO: true,
    exposeConsole: true,
    logSearchCustom: false,
    logSearchVolumeSize: '5',
    logSearchSizeFactor: 'Gi',
    logSearchSelectedStorageClass: '',
    logSearchImage: '',
    logSearchPostgresImage: '',
    logSearchPostgresInitImage: '',
    prometheusCustom: false,
    prometheusVolumeSize: '5',
    prometheusSizeFactor: 'Gi',
    prometheusSelectedStorageClass: '',
    prometheusImage: '',
    prometheusSidecarImage: '',
    prometheusInitImage: '',
  })
})

test('by default the servers of a pool run on different nodes [WIZ-53]', () => {
  expect(newTenantDraft().affinity).toEqual({
    podAffinity: 'default',
    withPodAntiAffinity: true,
    nodeSelectorLabels: '',
  })
})

test('labels are stored as key=value, joined by & [WIZ-53]', () => {
  const labels = [
    { key: 'disktype', value: 'nvme' },
    { key: 'zone', value: '' },
  ]
  expect(nodeLabelsText(labels)).toBe('disktype=nvme&zone=')
  expect(parseNodeLabels('disktype=nvme&zone=')).toEqual(labels)
  expect(parseNodeLabels('')).toEqual([{ key: '', value: '' }])
  expect(nodeLabelsText([{ key: 'a=b&c', value: 'd' }])).toBe('abc=d')
})

test('by default encryption is off, for Vault, without custom certificates [WIZ-34]', () => {
  expect(newTenantDraft().encryption).toMatchObject({
    enableEncryption: false,
    encryptionType: 'vault',
    enableCustomCertsForKES: false,
    gemalto: { retry: '0' },
    vault: { retry: '0', ping: '0' },
  })
})

test('certificates are lists with one entry each, and single pairs [WIZ-55]', () => {
  expect(newTenantDraft().certificates).toEqual({
    minioCertificates: [pair],
    caCertificates: [pair],
    consoleCaCertificates: [pair],
    consoleCertificate: pair,
    serverCertificate: pair,
    clientCertificate: pair,
    vaultCertificate: pair,
    vaultCA: pair,
    gemaltoCA: pair,
  })
})

test('a field is changed only if the section has it [WIZ-06]', () => {
  const draft = newTenantDraft()
  const other = { exposeMinIO: false, unknown: 'x', __proto__: { y: 1 } } as Partial<typeof draft.configure>
  const changed = updateDraft(draft, 'configure', other)
  expect(changed.configure).toEqual({ ...draft.configure, exposeMinIO: false })
  expect(Object.getPrototypeOf(changed.configure)).toBe(Object.prototype)
  expect(draft.configure.exposeMinIO).toBe(true)
})

test('a list of certificates keeps at least one entry [WIZ-06] [WIZ-55]', () => {
  const [first, second] = [emptyCertificatePair(), emptyCertificatePair()]
  const one = withoutPair([first, second], first.id)
  expect(one).toEqual([second])
  expect(withoutPair(one, second.id)).toEqual([second])
})
