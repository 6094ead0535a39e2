import { NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { type Translate, useT } from '../../../lib/text/i18n.ts'
import { ConflictNotice, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { ChoiceField } from '../../../ui/form/ChoiceField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { BucketEncryption } from './bucket-encryption.ts'

type EncryptionKind = 'disabled' | 'sse-s3' | 'sse-kms'

const encryptionKind = (encryption: BucketEncryption): EncryptionKind =>
  encryption === null ? 'disabled' : encryption.algorithm === 'AES256' ? 'sse-s3' : 'sse-kms'
/** Returns the key's name. Servers report it as an ARN. */
const encryptionKey = (encryption: BucketEncryption) => encryption?.kmsMasterKeyID.replace(/^arn:aws:kms:/, '') ?? ''

interface EncryptionModalProps {
  bucket: string
  encryption: BucketEncryption
  onClose: () => void
}

/** The dialog to enable or disable encryption of new objects. */
export function EncryptionModal({ bucket, encryption, onClose }: EncryptionModalProps) {
  const t = useT()
  const form = useForm({ initialValues: { kind: encryptionKind(encryption), kmsKeyID: encryptionKey(encryption) } })
  const { kind, kmsKeyID } = form.values
  const message = () =>
    kind === 'disabled'
      ? t('Encryption of {{bucket}} disabled', { bucket })
      : t('Encryption of {{bucket}} updated', { bucket })
  const enable = useChange('enableBucketEncryption', { onDone: onClose, message })
  const disable = useChange('disableBucketEncryption', { onDone: onClose, message })
  const save = kind === 'disabled' ? disable : enable
  const { before, changedTo } = useEditBase(encryption, save, 'getBucketEncryption')
  const isChanged =
    kind !== encryptionKind(encryption) || (kind === 'sse-kms' && kmsKeyID.trim() !== encryptionKey(encryption))
  return (
    <FormModal
      title={t('Bucket Encryption')}
      subject={bucket}
      form={form}
      change={save}
      onClose={onClose}
      ready={isChanged}
      onSubmit={(values) => {
        const params = { bucket }
        if (values.kind === 'disabled') disable.run({ params, body: { before } })
        else
          enable.run({
            params,
            body: { encType: values.kind, kmsKeyID: values.kind === 'sse-kms' ? values.kmsKeyID.trim() : '', before },
          })
      }}
    >
      {changedTo !== undefined && <ConflictNotice text={encryptionText(changedTo, t)} />}
      <ChoiceField<EncryptionKind>
        label={t('Encryption Type')}
        choices={[
          { value: 'disabled', label: t('Disabled'), hint: t('New objects are stored as they are sent.') },
          { value: 'sse-s3', label: t('SSE-S3'), hint: t('The server manages the keys.') },
          { value: 'sse-kms', label: t('SSE-KMS'), hint: t('A named key of the key server encrypts the objects.') },
        ]}
        {...form.getInputProps('kind')}
      />
      {kind === 'sse-kms' && <KeyField value={kmsKeyID} onChange={(name) => form.setFieldValue('kmsKeyID', name)} />}
      {encryption !== null && kind !== encryptionKind(encryption) && (
        <p className="small ink-3">{t('Objects that are stored already stay encrypted as they are.')}</p>
      )}
    </FormModal>
  )
}

function encryptionText(encryption: BucketEncryption, t: Translate): string {
  const kind = encryptionKind(encryption)
  if (kind === 'disabled') return t('Disabled')
  if (kind === 'sse-s3') return t('SSE-S3')
  const key = encryptionKey(encryption)
  return key === '' ? t('SSE-KMS with the default key') : t('SSE-KMS with the key {{key}}', { key })
}

interface KeyFieldProps {
  value: string
  onChange: (name: string) => void
}

/** A select of the keys, or a text field if the keys cannot be listed. */
function KeyField({ value, onChange }: KeyFieldProps) {
  const t = useT()
  const { data, error } = useQuery(q('listKmsKeys', {}))
  if (error)
    return (
      <TextField
        label={t('KMS Key ID')}
        hint={t('The keys cannot be listed. Enter the name of a key; empty: the default key of the server.')}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  const names = data?.keys.map(({ name }) => name) ?? []
  return (
    <NativeSelect
      label={t('KMS Key ID')}
      value={value}
      data={[
        { value: '', label: t('Default key of the server') },
        ...(value === '' || names.includes(value) ? names : [value, ...names]),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
