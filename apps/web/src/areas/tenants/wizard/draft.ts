import { emptyPair, type KeyPair } from '../certificate-files.ts'

export const UNITS = { Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50 } as const
export type Unit = keyof typeof UNITS

/** The steps in their order; most are only in the advanced mode. */
export const STEPS = ['name', 'configure', 'affinity', 'idp', 'security', 'encryption', 'size', 'preview'] as const
export type Step = (typeof STEPS)[number]

/** What has one of a few values, by the name of the field. */
export const CHOICES = {
  podAffinity: ['none', 'default', 'nodeSelector'],
  idpSelection: ['Built-in', 'OpenID', 'AD'],
  encryptionType: ['vault', 'aws', 'gemalto', 'gcp'],
  sizeFactor: ['Gi', 'Ti', 'Pi'],
  logSearchSizeFactor: ['Gi', 'Ti', 'Pi'],
  prometheusSizeFactor: ['Gi', 'Ti', 'Pi'],
} as const
type Choice<K extends keyof typeof CHOICES> = (typeof CHOICES)[K][number]

/** The state of the wizard, by its steps, with the names of the specification. Numbers are texts as they were typed. */
export function newDraft() {
  return {
    advancedModeOn: false,
    /** The step that is shown. */
    page: 'name' as Step,
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
      logSearchSizeFactor: 'Gi' as Choice<'logSearchSizeFactor'>,
      logSearchSelectedStorageClass: '',
      logSearchImage: '',
      logSearchPostgresImage: '',
      logSearchPostgresInitImage: '',
      prometheusCustom: false,
      prometheusVolumeSize: '5',
      prometheusSizeFactor: 'Gi' as Choice<'prometheusSizeFactor'>,
      prometheusSelectedStorageClass: '',
      prometheusImage: '',
      prometheusSidecarImage: '',
      prometheusInitImage: '',
    },
    affinity: {
      podAffinity: 'default' as Choice<'podAffinity'>,
      withPodAntiAffinity: true,
      /** `key=value` of each label, joined by `&`; a half that is not chosen yet is empty. */
      nodeSelectorLabels: '',
    },
    identityProvider: {
      idpSelection: 'Built-in' as Choice<'idpSelection'>,
      /** Of each user; the secret keys stand in the same order. */
      accessKeys: [randomKey(16)] as readonly string[],
      secretKeys: [randomKey(32)] as readonly string[],
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
      encryptionType: 'vault' as Choice<'encryptionType'>,
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
      sizeFactor: 'Gi' as Choice<'sizeFactor'>,
      /** GiB. */
      memoryNode: '2',
      /** Empty: the one that fits best. */
      ecParity: '',
    },
    certificates: {
      minioCertificates: [emptyPair()] as readonly KeyPair[],
      caCertificates: [emptyPair()] as readonly KeyPair[],
      consoleCaCertificates: [emptyPair()] as readonly KeyPair[],
      consoleCertificate: emptyPair(),
      /** Of the key server, and of the tenant towards it. */
      serverCertificate: emptyPair(),
      clientCertificate: emptyPair(),
      /** Of the key server towards Vault. */
      vaultCertificate: emptyPair(),
      vaultCA: emptyPair(),
      gemaltoCA: emptyPair(),
    },
  }
}
export type Draft = ReturnType<typeof newDraft>

/** A part of the state that a step changes. */
export type Section = {
  [K in keyof Draft]: Draft[K] extends object ? K : never
}[keyof Draft]

/** The draft with some fields of a section changed. Names that the section does not have are ignored. */
export function updated<S extends Section>(draft: Draft, section: S, part: Partial<Draft[S]>): Draft {
  const known = Object.entries(part).filter(([name]) => Object.hasOwn(draft[section], name))
  return { ...draft, [section]: { ...draft[section], ...Object.fromEntries(known) } }
}

export interface Label {
  key: string
  value: string
}

/** The rows of `nodeSelectorLabels`; there is always one. */
export function labelsOf(text: string): Label[] {
  return text.split('&').map((row) => {
    const [key = '', value = ''] = row.split('=')
    return { key, value }
  })
}

/** Neither of the two characters stands in a label. */
const half = (text: string) => text.replace(/[&=]/g, '')

export function textOf(labels: readonly Label[]): string {
  return labels.map(({ key, value }) => `${half(key)}=${half(value)}`).join('&')
}

/** Letters and digits of generated keys. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomKey(length: number): string {
  // As many bytes as it takes: those beyond a multiple of the alphabet would make some letters likelier.
  const limit = 256 - (256 % ALPHABET.length)
  let key = ''
  while (key.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      if (byte < limit && key.length < length) key += ALPHABET[byte % ALPHABET.length]
  return key
}
