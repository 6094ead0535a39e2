import { Button, FileInput, PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { TIER_NAME } from '@stowage/contract/tiers/tier-name'
import { useState } from 'react'
import type { ApiFailure } from '../../../lib/api/api.ts'
import { fileToBase64 } from '../../../lib/base64.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import type { PageTarget } from '../../../lib/navigation/pages.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import css from '../settings.module.css'
import { TIER_ENDPOINTS, TIER_TITLES, type TierKind } from './tier-kinds.ts'

interface TierFormProps {
  kind: TierKind
  back: { label: string; to: PageTarget }
  onSaved: () => void
}

type Values = Record<
  | 'name'
  | 'endpoint'
  | 'bucket'
  | 'prefix'
  | 'region'
  | 'accesskey'
  | 'secretkey'
  | 'storageclass'
  | 'accountname'
  | 'accountkey'
  | 'creds',
  string
>

/** The required fields of each kind, besides the location. */
const REQUIRED_FIELDS: Readonly<Record<TierKind, readonly (keyof Values)[]>> = {
  s3: ['accesskey', 'secretkey'],
  minio: ['accesskey', 'secretkey'],
  gcs: ['creds'],
  azure: ['accountname', 'accountkey'],
}

/** The form to add a tier of one kind. */
export function TierForm({ kind, back, onSaved }: TierFormProps) {
  const t = useT()
  const needs = useDisabledReason()
  const form = useForm<Values>({
    initialValues: {
      name: '',
      endpoint: TIER_ENDPOINTS[kind],
      bucket: '',
      prefix: '',
      region: '',
      accesskey: '',
      secretkey: '',
      storageclass: '',
      accountname: '',
      accountkey: '',
      creds: '',
    },
    validateInputOnChange: ['name'],
    validate: {
      name: (name) =>
        name === '' || TIER_NAME.test(name)
          ? null
          : t(
              'Please verify that string is uppercase only and contains valid characters (numbers, dashes & underscores).',
            ),
    },
  })
  const add = useChange('addTier', {
    onDone: onSaved,
    message: () => t('Tier {{name}} added', { name: form.values.name }),
  })
  useFailure(add.error)
  const { values } = form
  const isComplete =
    TIER_NAME.test(values.name) &&
    (['endpoint', 'bucket', 'prefix', 'region', ...REQUIRED_FIELDS[kind]] as const).every(
      (key) => values[key].trim() !== '',
    )
  const submit = form.onSubmit((entered) => {
    if (isComplete && !add.isPending) add.run({ body: tierBody(kind, entered) })
  })
  return (
    <div className={css.panel}>
      <Link to={back.to} className="link">
        {back.label}
      </Link>
      <h2>{t('{{provider}} - Add Tier Configuration', { provider: t(TIER_TITLES[kind]) })}</h2>
      <form onSubmit={submit} noValidate className={css.fields}>
        <TextField
          label={t('Name')}
          data-autofocus
          {...form.getInputProps('name')}
          onChange={(event) => form.setFieldValue('name', event.currentTarget.value.toUpperCase())}
        />
        <TextField label={t('Endpoint')} {...form.getInputProps('endpoint')} />
        {(kind === 's3' || kind === 'minio') && (
          <>
            <TextField label={t('Access Key')} {...form.getInputProps('accesskey')} />
            <PasswordInput label={t('Secret Key')} autoComplete="new-password" {...form.getInputProps('secretkey')} />
          </>
        )}
        {kind === 'azure' && (
          <>
            <TextField label={t('Account Name')} {...form.getInputProps('accountname')} />
            <PasswordInput label={t('Account Key')} autoComplete="new-password" {...form.getInputProps('accountkey')} />
          </>
        )}
        {kind === 'gcs' && <TierCredentialsFile onRead={(text) => form.setFieldValue('creds', text)} />}
        <TextField label={t('Bucket')} {...form.getInputProps('bucket')} />
        <TextField label={t('Prefix')} {...form.getInputProps('prefix')} />
        <TextField label={t('Region')} {...form.getInputProps('region')} />
        {kind === 's3' && <TextField label={t('Storage Class')} {...form.getInputProps('storageclass')} />}
        <div className={css.foot}>
          <Button component={Link} to={back.to}>
            {t('Cancel')}
          </Button>
          <Disabled reason={needs('admin:SetTier')}>
            <Button type="submit" variant="filled" {...whileBusy(add.isPending)} disabled={!isComplete}>
              {t('Save')}
            </Button>
          </Disabled>
        </div>
      </form>
    </div>
  )

  function useFailure(error: ApiFailure | null) {
    const [shown, setShown] = useState<ApiFailure | null>(null)
    if (error === shown) return
    setShown(error)
    if (!error) return
    const field = error.field?.split('.').at(-1)
    if (error.field !== undefined && field !== undefined) form.setFieldError(field, error.fieldMessage)
    toast.failure(error)
  }
}

/** An input for a Google key file, which is read and returned in Base64. */
export function TierCredentialsFile({ onRead }: { onRead: (base64: string) => void }) {
  const t = useT()
  return (
    <FileInput
      label={t('Credentials')}
      placeholder={t('Choose a .json file')}
      accept=".json,application/json"
      clearable
      onChange={(file) => {
        if (file) void fileToBase64(file).then(onRead)
        else onRead('')
      }}
    />
  )
}

function tierBody(kind: TierKind, { name, endpoint, bucket, prefix, region, ...rest }: Values) {
  const place = { name, endpoint: endpoint.trim(), bucket: bucket.trim(), prefix, region: region.trim() }
  const { accesskey, secretkey, storageclass, accountname, accountkey, creds } = rest
  switch (kind) {
    case 's3':
      return { type: kind, s3: { ...place, accesskey, secretkey, storageclass } }
    case 'minio':
      return { type: kind, minio: { ...place, accesskey, secretkey } }
    case 'gcs':
      return { type: kind, gcs: { ...place, creds } }
    case 'azure':
      return { type: kind, azure: { ...place, accountname, accountkey } }
  }
}
