import { Button } from '@mantine/core'
import type { Output, Tenant, TenantCertificate } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { change } from '../../../lib/changes/change.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { formatDate } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { emptyCertificatePair } from '../certificates/certificate-pairs.ts'
import { useKubePermissions } from '../cluster/use-kube-permissions.tsx'
import css from '../tenants.module.css'
import { encryptionProblems } from '../wizard/draft/draft-problems.ts'
import { encryptionBody } from '../wizard/draft/encryption-body.ts'
import { newTenantDraft, type TenantDraft, updateDraft } from '../wizard/draft/tenant-draft.ts'
import { EncryptionStep } from '../wizard/steps/EncryptionStep.tsx'

interface Params {
  namespace: string
  tenant: string
}

/** The key server (KES) of a tenant, and its key store. */
export function TenantEncryptionSection(params: Params) {
  const tenant = useQuery(q('getTenant', { params }))
  const encryption = useQuery(q('getTenantEncryption', { params }))
  return (
    <QueryView query={tenant}>
      {(data) => (
        <QueryView query={encryption}>
          {(now) => <Sections key={JSON.stringify(now)} params={params} tenant={data} now={now} />}
        </QueryView>
      )}
    </QueryView>
  )
}

interface SectionsProps {
  params: Params
  tenant: Tenant
  now: Output<'getTenantEncryption'>
}

function Sections({ params, tenant, now }: SectionsProps) {
  const t = useT()
  const [editing, setEditing] = useState(!now.enabled)
  const refused = useKubePermissions(['update tenants.minio.min.io', 'create secrets'], params.namespace)
  const why = refused('update tenants.minio.min.io') || refused('create secrets')
  const disable = () =>
    confirm({
      title: t('Disable Encryption'),
      subject: params.tenant,
      body: t(
        'The key server will be removed. Objects that are encrypted with its keys cannot be read until it is set up again.',
      ),
      action: t('Disable'),
      run: () =>
        change(
          'deleteTenantEncryption',
          { params },
          { message: () => t('Encryption of {{name}} disabled', { name: params.tenant }) },
        ),
    })
  return (
    <div className={css.body}>
      {now.enabled && <EncryptionFacts now={now} />}
      {now.enabled && !editing && (
        <div className={css.row}>
          <Disabled reason={why}>
            <Button onClick={() => setEditing(true)}>{t('Change the key server')}</Button>
          </Disabled>
          <Disabled reason={why}>
            <Button color="red" variant="outline" onClick={disable}>
              {t('Disable Encryption')}
            </Button>
          </Disabled>
        </div>
      )}
      {editing && <EncryptionForm params={params} tenant={tenant} now={now} why={why} />}
    </div>
  )
}

function EncryptionFacts({ now }: { now: Output<'getTenantEncryption'> }) {
  const t = useT()
  const certificate = (of: TenantCertificate | null | undefined) =>
    of ? `${of.name} (${t('ends {{date}}', { date: formatDate(of.expiry) })})` : t('Automatic')
  const facts = [
    [t('Key store'), now.type || '–'],
    [t('Endpoint'), now.endpoint || '–'],
    [t('Image'), now.image || '–'],
    [t('Replicas'), now.replicas],
    [t('Certificate of the key server'), certificate(now.server)],
    [t('Certificate of its client'), certificate(now.client)],
  ] as const
  return (
    <dl className={css.facts}>
      {facts.map(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label} value`}>{value}</dd>])}
    </dl>
  )
}

function EncryptionForm({
  params,
  tenant,
  now,
  why,
}: SectionsProps & { why: ReturnType<ReturnType<typeof useKubePermissions>> }) {
  const t = useT()
  const security = useQuery(q('getTenantSecurity', { params }))
  const [draft, setDraft] = useState(() => encryptionDraft(tenant, now.enabled))
  const automatic = security.data?.autoCert ?? true
  const shown: TenantDraft = { ...draft, security: { ...draft.security, enableAutoCert: tenant.minioTLS && automatic } }
  const problems = encryptionProblems(t, shown)
  const save = () =>
    confirm({
      title: t('Save and Restart'),
      subject: params.tenant,
      body: t('The key server starts again with the new key store.'),
      action: t('Save and Restart'),
      run: () =>
        change(
          'updateTenantEncryption',
          // Keep the current image.
          { params, body: { ...encryptionBody(shown), image: '', replicas: null } },
          { message: () => t('Encryption of {{name}} updated', { name: params.tenant }) },
        ),
    })
  const isReady = shown.encryption.enableEncryption && Object.keys(problems).length === 0
  return (
    <>
      {now.enabled && <Banner kind="info">{t('Secrets of the key store are not shown. Enter them again.')}</Banner>}
      <EncryptionStep
        draft={shown}
        problems={problems}
        set={(section, part) => setDraft((before) => updateDraft(before, section, part))}
      />
      <div className={css.row}>
        <Disabled reason={why}>
          <Button variant="filled" disabled={!isReady} onClick={save}>
            {t('Save')}
          </Button>
        </Disabled>
      </div>
    </>
  )
}

/** Returns the encryption step of the wizard for an existing tenant. */
function encryptionDraft({ minioTLS }: Tenant, isEnabled: boolean): TenantDraft {
  const empty = newTenantDraft()
  // A tenant with TLS but without automatic certificates has custom ones; a placeholder is enough here.
  const own = { ...emptyCertificatePair(), encoded_cert: 'own', encoded_key: 'own' }
  return {
    ...empty,
    advancedModeOn: true,
    security: { ...empty.security, enableTLS: minioTLS, enableCustomCerts: true },
    certificates: { ...empty.certificates, minioCertificates: [own] },
    encryption: { ...empty.encryption, enableEncryption: isEnabled },
  }
}
