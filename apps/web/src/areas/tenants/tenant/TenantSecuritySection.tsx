import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Output, TenantCertificate } from '@stowage/contract'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { change } from '../../../lib/changes/change.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { formatDate, formatList } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { CertificatePairRows } from '../certificates/CertificatePairRows.tsx'
import {
  type CertificatePair,
  certificateBody,
  emptyCertificatePair,
  isCompletePair,
  selectedCertificates,
} from '../certificates/certificate-pairs.ts'
import { useKubePermissions } from '../cluster/use-kube-permissions.tsx'
import css from '../tenants.module.css'

interface Params {
  namespace: string
  tenant: string
}

/** The certificates of a tenant. */
export function TenantSecuritySection(params: Params) {
  const query = useQuery(q('getTenantSecurity', { params }))
  return <QueryView query={query}>{(data) => <SecurityForm params={params} data={data} />}</QueryView>
}

function SecurityForm({ params, data }: { params: Params; data: Output<'getTenantSecurity'> }) {
  const t = useT()
  const { minio, minioCAs } = data.customCertificates
  const form = useForm({
    initialValues: { autoCert: data.autoCert, custom: minio.length > 0 || minioCAs.length > 0 },
  })
  const [gone, setGone] = useState<readonly string[]>([])
  const [pairs, setPairs] = useState<readonly CertificatePair[]>([emptyCertificatePair()])
  const [authorities, setAuthorities] = useState<readonly CertificatePair[]>([emptyCertificatePair()])
  const { autoCert, custom } = form.values
  const refused = useKubePermissions(['update tenants.minio.min.io', 'create secrets'], params.namespace)

  const save = async () => {
    const body = {
      autoCert,
      customCertificates: {
        // If TLS is switched off, all certificates are removed.
        secretsToBeDeleted: custom ? [...gone] : [...minio, ...minioCAs].map(({ name }) => name),
        minio: custom ? pairs.filter(isCompletePair).map(certificateBody) : [],
        minioCAs: custom ? selectedCertificates(authorities) : [],
      },
    }
    await change('updateTenantSecurity', { params, body }, { message: () => t('Security of the tenant updated') })
    setGone([])
    setPairs([emptyCertificatePair()])
    setAuthorities([emptyCertificatePair()])
  }
  const ask = () =>
    confirm({
      title: t('Save and Restart'),
      subject: params.tenant,
      body: t('The pods of the tenant start again with the new certificates.'),
      action: t('Save and Restart'),
      run: save,
    })

  return (
    <div className={css.body}>
      <Checkbox
        label={t('Manage Inter-Node Certificates Automatically')}
        {...form.getInputProps('autoCert', { type: 'checkbox' })}
      />
      <Checkbox label={t('Custom Certificates')} {...form.getInputProps('custom', { type: 'checkbox' })} />
      {custom && (
        <>
          <fieldset className={css.group}>
            <legend>{t('MinIO Certificates')}</legend>
            <CertificateChips certificates={minio} gone={gone} onRemove={(name) => setGone([...gone, name])} />
            <CertificatePairRows pairs={pairs} onChange={setPairs} withKey />
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('MinIO CA Certificates')}</legend>
            <CertificateChips certificates={minioCAs} gone={gone} onRemove={(name) => setGone([...gone, name])} />
            <CertificatePairRows pairs={authorities} onChange={setAuthorities} withKey={false} />
          </fieldset>
        </>
      )}
      <div className={css.row}>
        <Disabled reason={refused('update tenants.minio.min.io') || refused('create secrets')}>
          <Button variant="filled" onClick={ask}>
            {t('Save')}
          </Button>
        </Disabled>
      </div>
    </div>
  )
}

interface CertificateChipsProps {
  certificates: readonly TenantCertificate[]
  gone: readonly string[]
  onRemove: (name: string) => void
}

function CertificateChips({ certificates, gone, onRemove }: CertificateChipsProps) {
  const t = useT()
  const left = certificates.filter(({ name }) => !gone.includes(name))
  if (left.length === 0) return null
  return (
    <div className={css.chips}>
      {left.map(({ name, domains, expiry }) => (
        <span key={name} className={css.chip}>
          <span>
            <b>{name}</b> <span className="ink-2">{formatList(domains)}</span>{' '}
            {expiry !== '' && <span className="ink-3">{t('ends {{date}}', { date: formatDate(expiry) })}</span>}
          </span>
          <ActionIcon aria-label={t('Remove {{name}}', { name })} onClick={() => onRemove(name)}>
            <Icon of={IconX} />
          </ActionIcon>
        </span>
      ))}
    </div>
  )
}
