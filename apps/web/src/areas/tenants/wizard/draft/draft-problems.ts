import { longestLabel, MAX_LABEL_LENGTH, nextPoolName } from '@stowage/contract/tenants/sizing'
import { GiB } from '@stowage/contract/values/units'
import { formatSize } from '../../../../lib/text/format.ts'
import type { Translate } from '../../../../lib/text/i18n.ts'
import { isCompletePair } from '../../certificates/certificate-pairs.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { draftSizing, MIN_MEMORY_GIB, sizePlan, totalBytes } from './draft-sizing.ts'
import { parseNodeLabels, type TenantDraft, WIZARD_STEPS, type WizardStep } from './tenant-draft.ts'
import {
  AD_FIELDS,
  ADD_ONS,
  IMAGE_FIELDS,
  KEY_STORE_FIELDS,
  OIDC_FIELDS,
  REGISTRY_FIELDS,
  type WizardField,
} from './wizard-fields.ts'

/** The problems by field; an empty object without problems. An empty text stands for a check that is still running. */
export type FieldProblems = Readonly<Record<string, string>>

const NAME = /^[a-z0-9-]{3,63}$/
const IMAGE = /^((.*?)\/(.*?):(.+))$/
const KEY = /^[a-zA-Z0-9-]{8,63}$/

/** Returns the steps that a draft goes through. */
export function wizardSteps({ advancedModeOn }: TenantDraft): WizardStep[] {
  return WIZARD_STEPS.filter((step) => advancedModeOn || step === 'name' || step === 'size' || step === 'preview')
}

/** Returns the problems of each step. Fields that are hidden in the current mode count as valid. */
export function draftProblems(
  t: Translate,
  draft: TenantDraft,
  facts: ClusterFacts,
): Readonly<Record<WizardStep, FieldProblems>> {
  const none: Record<WizardStep, FieldProblems> = {
    name: nameProblems(t, draft, facts),
    configure: {},
    affinity: {},
    idp: {},
    security: {},
    encryption: {},
    size: sizeProblems(t, draft, facts),
    preview: {},
  }
  if (!draft.advancedModeOn) return none
  return {
    ...none,
    configure: configureProblems(t, draft),
    affinity: affinityProblems(t, draft),
    idp: idpProblems(t, draft),
    security: securityProblems(t, draft),
    encryption: encryptionProblems(t, draft),
  }
}

/** Returns the steps without problems. */
export function validSteps(
  problems: Readonly<Record<WizardStep, FieldProblems>>,
  steps: readonly WizardStep[],
): WizardStep[] {
  return steps.filter((step) => Object.keys(problems[step]).length === 0)
}

/** The original accepts names from which no services and pods can be made. */
function tenantNameProblem(t: Translate, name: string): string | undefined {
  if (name.trim() === '') return t('Field cannot be empty')
  if (!NAME.test(name)) return t("Name only can contain lowercase letters, numbers and '-'. Min. Length: 3")
  if (!/^[a-z].*[^-]$/.test(name)) return t('The name must begin with a letter, and end with a letter or a digit')
  const excess = longestLabel(name, nextPoolName([]), 1) - MAX_LABEL_LENGTH
  return excess > 0 ? t('The name can have at most {{max}} characters', { max: name.length - excess }) : undefined
}

function nameProblems(t: Translate, { nameTenant }: TenantDraft, facts: ClusterFacts): FieldProblems {
  const { tenantName, namespace, selectedStorageClass } = nameTenant
  const problem = tenantNameProblem(t, tenantName)
  return {
    ...(problem === undefined ? {} : { tenantName: problem }),
    ...(namespace.trim() === ''
      ? { namespace: t('Field cannot be empty') }
      : facts.namespace === undefined
        ? { namespace: '' }
        : facts.namespace === ''
          ? {}
          : { namespace: facts.namespace }),
    ...(facts.namespace === '' && (facts.classes.length === 0 || !selectedStorageClass)
      ? { selectedStorageClass: t('Field cannot be empty') }
      : {}),
  }
}

/** Returns the problems of declared fields. */
export function fieldProblems(
  t: Translate,
  fields: readonly WizardField[],
  texts: Readonly<Record<string, unknown>>,
): FieldProblems {
  return Object.fromEntries(
    fields.flatMap(({ key, required, number, image }) => {
      const text = String(texts[key] ?? '').trim()
      if (text === '') return required ? [[key, t('Field cannot be empty')]] : []
      if (number && !/^\d+$/.test(text)) return [[key, t('Value needs to be 0 or greater')]]
      if (image && !IMAGE.test(text)) return [[key, t('Format must be of form: {{form}}', { form: `'${image}'` })]]
      return []
    }),
  )
}

function configureProblems(t: Translate, { configure }: TenantDraft): FieldProblems {
  const problems: Record<string, string> = {}
  if (configure.customImage) Object.assign(problems, fieldProblems(t, IMAGE_FIELDS, configure))
  if (configure.customImage && configure.customDockerhub)
    Object.assign(problems, fieldProblems(t, REGISTRY_FIELDS, configure))
  for (const { custom, size, storageClass, images } of ADD_ONS) {
    if (!configure[custom]) continue
    Object.assign(problems, fieldProblems(t, images, configure))
    if (!(Number(configure[size]) > 0)) problems[size] = t('Volume size must be present and be greatter than 0')
    if (!configure[storageClass]) problems[storageClass] = t('Field cannot be empty')
  }
  return problems
}

/** Returns the labels that have both a key and a value. */
export const completeNodeLabels = ({ affinity }: TenantDraft) =>
  parseNodeLabels(affinity.nodeSelectorLabels).filter(({ key, value }) => key.trim() && value.trim())

function affinityProblems(t: Translate, draft: TenantDraft): FieldProblems {
  return draft.affinity.podAffinity === 'nodeSelector' && completeNodeLabels(draft).length === 0
    ? { nodeSelectorLabels: t('You need to add at least one label key-pair') }
    : {}
}

function idpProblems(t: Translate, { identityProvider }: TenantDraft): FieldProblems {
  const { idpSelection, accessKeys, secretKeys, openID, activeDirectory, userDNs } = identityProvider
  if (idpSelection === 'OpenID') return fieldProblems(t, OIDC_FIELDS, openID)
  if (idpSelection === 'AD') {
    const empty = userDNs.flatMap((dn, index) =>
      dn.trim() === '' ? [[`userDNs.${index}`, t('Field cannot be empty')]] : [],
    )
    return { ...fieldProblems(t, AD_FIELDS, activeDirectory), ...Object.fromEntries(empty) }
  }
  const wrong = (name: string, keys: readonly string[]) =>
    keys.flatMap((key, index) => (KEY.test(key) ? [] : [[`${name}.${index}`, t('Keys must be at least length 8')]]))
  return Object.fromEntries([...wrong('accessKeys', accessKeys), ...wrong('secretKeys', secretKeys)])
}

function securityProblems(t: Translate, { security }: TenantDraft): FieldProblems {
  const { enableTLS, enableAutoCert, enableCustomCerts } = security
  return enableTLS && !enableAutoCert && !enableCustomCerts
    ? { enableTLS: t('Choose automatic or custom certificates') }
    : {}
}

/** Reports whether the tenant's servers have certificates, which identify them to a key server. */
export function mayEncrypt({ security, certificates }: TenantDraft): boolean {
  const { enableTLS, enableAutoCert, enableCustomCerts } = security
  return enableTLS && (enableAutoCert || (enableCustomCerts && certificates.minioCertificates.some(isCompletePair)))
}

export function encryptionProblems(t: Translate, draft: TenantDraft): FieldProblems {
  const { encryption, security, certificates } = draft
  if (!encryption.enableEncryption || !mayEncrypt(draft)) return {}
  const mustHave = encryption.enableCustomCertsForKES && !security.enableAutoCert
  const missing = t('Choose a certificate and its key')
  const type = encryption.encryptionType
  return {
    ...fieldProblems(t, KEY_STORE_FIELDS[type], encryption[type]),
    ...(mustHave && !isCompletePair(certificates.serverCertificate) ? { serverCertificate: missing } : {}),
    ...(mustHave && !isCompletePair(certificates.clientCertificate) ? { clientCertificate: missing } : {}),
  }
}

/** Returns the problems of servers, drives and size. @param limit available bytes */
export function sizePlanProblems(t: Translate, size: TenantDraft['tenantSize'], limit: number): FieldProblems {
  const [servers, drives, total] = [Number(size.nodes), Number(size.drivesPerServer), totalBytes(size)]
  const problems: Record<string, string> = {}
  if (size.nodes.trim() === '') problems.nodes = t('Field cannot be empty')
  else if (!Number.isInteger(servers) || servers < 4) problems.nodes = t('Number of servers must be at least 4')
  if (!Number.isInteger(drives) || drives < 1) problems.drivesPerServer = t('There must be at least one drive')
  if (!(total > GiB) || total >= limit)
    problems.volumeSize = t('Volume size must be greater than 1Gi and less than {{limit}}', {
      limit: formatSize(limit),
    })
  if (Object.keys(problems).length > 0) return problems
  const { distribution, ecParityChoices } = sizePlan(size)
  return {
    ...(distribution.problem ? { volumeSize: distribution.problem } : {}),
    ...(ecParityChoices.length === 0 ? { drivesPerServer: t('No erasure set fits so many servers and drives') } : {}),
  }
}

function sizeProblems(t: Translate, draft: TenantDraft, facts: ClusterFacts): FieldProblems {
  const { limitSize, memorySize } = draftSizing(draft, facts)
  const problems = sizePlanProblems(t, draft.tenantSize, limitSize ?? Number.MAX_SAFE_INTEGER)
  if (Object.keys(problems).length > 0) return problems
  const memory = memoryProblem(t, draft, facts, memorySize.problem)
  return memory === undefined ? {} : { memoryNode: memory }
}

function memoryProblem(
  t: Translate,
  { advancedModeOn, tenantSize }: TenantDraft,
  facts: ClusterFacts,
  problem: string,
) {
  if (advancedModeOn && !(Number(tenantSize.memoryNode) >= MIN_MEMORY_GIB))
    return t('Memory size must be greater than 2Gi')
  if (facts.memoryProblem) return facts.memoryProblem
  if (facts.memory === undefined) return ''
  return problem || undefined
}
