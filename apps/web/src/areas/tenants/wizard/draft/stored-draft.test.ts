// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { emptyCertificatePair } from '../../certificates/certificate-pairs.ts'
import { draftYaml, kubectlManifest } from './draft-exports.ts'
import { draftStore, restoreDraft } from './stored-draft.ts'
import { newTenantDraft, type TenantDraft, updateDraft } from './tenant-draft.ts'

beforeEach(() => localStorage.clear())

const PLANTED = 'planted-secret'

/** Returns a draft with a secret in every possible place. */
function planted(): TenantDraft {
  const draft = newTenantDraft()
  const { openID, activeDirectory } = draft.identityProvider
  const { vault, aws, gemalto, gcp } = draft.encryption
  const file = { ...emptyCertificatePair(), cert: 'a.crt', key: 'a.key', encoded_cert: PLANTED, encoded_key: PLANTED }
  return {
    ...updateDraft(draft, 'nameTenant', { tenantName: 'media', namespace: 'team-a' }),
    page: 'encryption',
    advancedModeOn: true,
    configure: { ...draft.configure, imageRegistry: 'registry.example.com', imageRegistryPassword: PLANTED },
    identityProvider: {
      ...draft.identityProvider,
      accessKeys: ['anna-console', 'ben-console'],
      secretKeys: [PLANTED, PLANTED],
      openID: { ...openID, url: `https://user:${PLANTED}@idp.example.com`, secret_id: PLANTED },
      activeDirectory: { ...activeDirectory, lookup_bind_dn: 'cn=reader', lookup_bind_password: PLANTED },
    },
    encryption: {
      ...draft.encryption,
      vault: { ...vault, id: 'role', secret: PLANTED },
      aws: { ...aws, secretkey: PLANTED, token: PLANTED },
      gemalto: { ...gemalto, token: PLANTED },
      gcp: { ...gcp, private_key: PLANTED },
    },
    certificates: { ...draft.certificates, minioCertificates: [file], vaultCA: file },
  }
}

test('a draft is stored for its user, without secrets and files', () => {
  const store = draftStore('anna', 'cluster')
  expect(store.read()).toBeUndefined()
  store.write(planted())
  expect(JSON.stringify({ ...localStorage })).not.toContain(PLANTED)
  expect(draftStore('ben', 'cluster').read()).toBeUndefined()
  const { draft, at } = store.read() ?? {}
  expect(at).toBeCloseTo(Date.now(), -5)
  expect(draft).toMatchObject({
    page: 'encryption',
    advancedModeOn: true,
    nameTenant: { tenantName: 'media', namespace: 'team-a' },
    configure: { imageRegistry: 'registry.example.com', imageRegistryPassword: '' },
    identityProvider: {
      accessKeys: ['anna-console', 'ben-console'],
      secretKeys: [expect.stringMatching(/^\w{32}$/), expect.stringMatching(/^\w{32}$/)],
      openID: { url: 'https://idp.example.com', secret_id: '' },
      activeDirectory: { lookup_bind_dn: 'cn=reader', lookup_bind_password: '' },
    },
    encryption: { vault: { id: 'role', secret: '' } },
    certificates: { minioCertificates: [{ cert: '', encoded_key: '' }] },
  })
  store.forget()
  expect(store.read()).toBeUndefined()
})

test('only known fields with allowed values are restored [WIZ-06]', () => {
  const kept = {
    page: 'elsewhere',
    unknown: 1,
    nameTenant: { tenantName: 7, namespace: 'team-a', more: 'x' },
    affinity: { podAffinity: 'near', withPodAntiAffinity: 'yes', nodeSelectorLabels: 'a=b' },
    identityProvider: { accessKeys: [], userDNs: [1, 'uid=anna'], openID: null },
    tenantSize: 'large',
  }
  const draft = restoreDraft(JSON.parse(JSON.stringify(kept).replace('"unknown"', '"__proto__"')))
  const { identityProvider, ...others } = newTenantDraft()
  expect(draft).toMatchObject({
    page: 'name',
    affinity: { ...others.affinity, nodeSelectorLabels: 'a=b' },
    tenantSize: others.tenantSize,
    identityProvider: { userDNs: ['uid=anna'], openID: identityProvider.openID },
  })
  expect(draft.nameTenant).toEqual({ tenantName: '', namespace: 'team-a', selectedStorageClass: '' })
  expect(Object.keys(draft)).toEqual(Object.keys(newTenantDraft()))
  expect(draft.identityProvider.accessKeys).toHaveLength(1)
})

test.each(['', 'null', '7', '{', '[]', '{"at":1}', '{"at":1,"draft":null}'])('%j is not a draft', (text) => {
  localStorage.setItem('stowage.tenant-draft:anna@cluster', text)
  const kept = draftStore('anna', 'cluster').read()
  expect(kept?.draft.nameTenant.tenantName ?? '').toBe('')
})

test('the answers are exported as YAML, without secrets', () => {
  const yaml = draftYaml(planted())
  expect(yaml).not.toContain(PLANTED)
  expect(yaml).toContain('nameTenant:\n  tenantName: "media"\n  namespace: "team-a"\n')
  expect(yaml).toContain('  accessKeys:\n    - "anna-console"\n    - "ben-console"\n')
  expect(yaml).toContain('advancedModeOn: true\n')
})

test('the objects are one file for kubectl', () => {
  const object = (name: string) => ({ kind: 'Secret', name, yaml: `kind: Secret\nname: ${name}\n`, problem: '' })
  expect(kubectlManifest([object('a'), object('b')], 'Note')).toBe(
    '# Note\n---\nkind: Secret\nname: a\n---\nkind: Secret\nname: b\n',
  )
})
