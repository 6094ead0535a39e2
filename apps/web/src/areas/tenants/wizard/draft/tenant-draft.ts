import { type CertificatePair, emptyCertificatePair } from '../../certificates/certificate-pairs.ts'

export const UNIT_BYTES = { Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50 } as const
export type DraftSizeUnit = keyof typeof UNIT_BYTES

/** The steps in order. Most are shown in advanced mode only. */
export const WIZARD_STEPS = [
  'name',
  'configure',
  'affinity',
  'idp',
  'security',
  'encryption',
  'size',
  'preview',
] as const
export type WizardStep = (typeof WIZARD_STEPS)[number]

/** The allowed values of fields with a fixed choice, by field name. */
export const DRAFT_CHOICES = {
  podAffinity: ['none', 'default', 'nodeSelector'],
  idpSelection: ['Built-in', 'OpenID', 'AD'],
  encryptionType: ['vault', 'aws', 'gemalto', 'gcp'],
  sizeFactor: ['Gi', 'Ti', 'Pi'],
  logSearchSizeFactor: ['Gi', 'Ti', 'Pi'],
  prometheusSizeFactor: ['Gi', 'Ti', 'Pi'],
} as const
type DraftChoice<K extends keyof typeof DRAFT_CHOICES> = (typeof DRAFT_CHOICES)[K][number]

/** Returns the initial state of the wizard, by step, with the names of the specification. Numbers are strings, as typed. */
export function newTenantDraft() {
  return {
    advancedModeOn: false,
    /** The current step. */
    page: 'name' as WizardStep,
    nameTenant: { tenantName: '', namespace: '', selectedStorageClass: '' },
    configure: {
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
      logSearchSizeFactor: 'Gi' as DraftChoice<'logSearchSizeFactor'>,
      logSearchSelectedStorageClass: '',
      logSearchImage: '',
      logSearchPostgresImage: '',
      logSearchPostgresInitImage: '',
      prometheusCustom: false,
      prometheusVolumeSize: '5',
      prometheusSizeFactor: 'Gi' as DraftChoice<'prometheusSizeFactor'>,
      prometheusSelectedStorageClass: '',
      prometheusImage: '',
      prometheusSidecarImage: '',
      prometheusInitImage: '',
    },
    affinity: {
      podAffinity: 'default' as DraftChoice<'podAffinity'>,
      withPodAntiAffinity: true,
      /** `key=value` of each label, joined by `&`; a half that is not selected yet is empty. */
      nodeSelectorLabels: '',
    },
    identityProvider: {
      idpSelection: 'Built-in' as DraftChoice<'idpSelection'>,
      /** The access key of each user; `secretKeys` has the same order. */
      accessKeys: [generateKey(16)] as readonly string[],
      secretKeys: [generateKey(32)] as readonly string[],
      openID: {
        url: '',
        configuration_url: '',
        client_id: '',
        secret_id: '',
        callback_url: '',
        claim_name: '',
        scopes: '',
      },
      activeDirectory: {
        url: '',
        skip_tls_verification: false,
        server_insecure: false,
        server_start_tls: false,
        username_format: '',
        username_search_filter: '',
        group_search_base_dn: '',
        group_search_filter: '',
        group_name_attribute: '',
        lookup_bind_dn: '',
        lookup_bind_password: '',
        user_dn_search_base_dn: '',
        user_dn_search_filter: '',
      },
      /** Users of the directory who administer the tenant. */
      userDNs: [''] as readonly string[],
    },
    security: { enableTLS: true, enableAutoCert: true, enableCustomCerts: false },
    encryption: {
      enableEncryption: false,
      encryptionType: 'vault' as DraftChoice<'encryptionType'>,
      enableCustomCertsForKES: false,
      vault: {
        endpoint: '',
        engine: '',
        namespace: '',
        prefix: '',
        approleEngine: '',
        id: '',
        secret: '',
        retry: '0',
        ping: '0',
      },
      aws: { endpoint: '', region: '', kmskey: '', accesskey: '', secretkey: '', token: '' },
      gemalto: { endpoint: '', token: '', domain: '', retry: '0' },
      gcp: { project_id: '', endpoint: '', client_email: '', client_id: '', private_key_id: '', private_key: '' },
    },
    tenantSize: {
      nodes: '4',
      drivesPerServer: '1',
      volumeSize: '100',
      sizeFactor: 'Gi' as DraftChoice<'sizeFactor'>,
      /** GiB. */
      memoryNode: '2',
      /** Empty for the default parity. */
      ecParity: '',
    },
    certificates: {
      minioCertificates: [emptyCertificatePair()] as readonly CertificatePair[],
      caCertificates: [emptyCertificatePair()] as readonly CertificatePair[],
      consoleCaCertificates: [emptyCertificatePair()] as readonly CertificatePair[],
      consoleCertificate: emptyCertificatePair(),
      /** The certificates of the key server (KES), and of the tenant as its client. */
      serverCertificate: emptyCertificatePair(),
      clientCertificate: emptyCertificatePair(),
      /** The certificates of the key server as a client of Vault. */
      vaultCertificate: emptyCertificatePair(),
      vaultCA: emptyCertificatePair(),
      gemaltoCA: emptyCertificatePair(),
    },
  }
}
export type TenantDraft = ReturnType<typeof newTenantDraft>

/** A section of the state, as a step changes it. */
export type DraftSection = {
  [K in keyof TenantDraft]: TenantDraft[K] extends object ? K : never
}[keyof TenantDraft]

/** Returns the draft with some fields of a section changed. Fields that the section does not have are ignored. */
export function updateDraft<S extends DraftSection>(
  draft: TenantDraft,
  section: S,
  part: Partial<TenantDraft[S]>,
): TenantDraft {
  const known = Object.entries(part).filter(([name]) => Object.hasOwn(draft[section], name))
  return { ...draft, [section]: { ...draft[section], ...Object.fromEntries(known) } }
}

export interface NodeLabel {
  key: string
  value: string
}

/** Returns the rows of `nodeSelectorLabels`; at least one. */
export function parseNodeLabels(text: string): NodeLabel[] {
  return text.split('&').map((row) => {
    const [key = '', value = ''] = row.split('=')
    return { key, value }
  })
}

/** Labels contain neither of these characters. */
const labelPart = (text: string) => text.replace(/[&=]/g, '')

export function nodeLabelsText(labels: readonly NodeLabel[]): string {
  return labels.map(({ key, value }) => `${labelPart(key)}=${labelPart(value)}`).join('&')
}

/** The characters of generated keys. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function generateKey(length: number): string {
  // Bytes from the highest multiple of the alphabet's length on are skipped; they would make some characters more likely.
  const limit = 256 - (256 % ALPHABET.length)
  let key = ''
  while (key.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      if (byte < limit && key.length < length) key += ALPHABET[byte % ALPHABET.length]
  return key
}
