import { ActionIcon, Button, FileInput } from '@mantine/core'
import { formatSize } from '@stowage/contract'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { fileToBase64 } from '../../../lib/base64.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FieldHint } from '../../../ui/form/FieldHint.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from '../tenants.module.css'
import {
  CERTIFICATE_EXTENSIONS,
  type CertificatePair,
  emptyCertificatePair,
  MAX_CERTIFICATE_BYTES,
  withoutPair,
} from './certificate-pairs.ts'

interface CertificatePairProps {
  pair: CertificatePair
  onChange: (pair: CertificatePair) => void
}

/** The fields of a certificate and its private key. */
export function CertificatePairFields({
  pair,
  onChange,
  withKey = true,
}: CertificatePairProps & { withKey?: boolean }) {
  const t = useT()
  return (
    <>
      <CertificateFileInput
        label={t('Certificate')}
        name={pair.cert}
        onPick={(cert, encoded_cert) => onChange({ ...pair, cert, encoded_cert })}
      />
      {withKey && (
        <CertificateFileInput
          label={t('Private key')}
          name={pair.key}
          onPick={(key, encoded_key) => onChange({ ...pair, key, encoded_key })}
        />
      )}
    </>
  )
}

interface CertificateFileProps {
  label: string
  /** The name of the selected file; empty if no file is selected. */
  name: string
  onPick: (name: string, encoded: string) => void
}

/** A file input that reads the file when it is selected. */
export function CertificateFileInput({ label, name, onPick }: CertificateFileProps) {
  const t = useT()
  const [problem, setProblem] = useState('')
  const pick = async (file: File | null) => {
    if (file !== null && file.size > MAX_CERTIFICATE_BYTES)
      return setProblem(t('The file is larger than {{size}}', { size: formatSize(MAX_CERTIFICATE_BYTES) }))
    setProblem('')
    if (file === null) return onPick('', '')
    try {
      onPick(file.name, await fileToBase64(file))
    } catch {
      setProblem(t('The file cannot be read'))
    }
  }
  return (
    <div className={css.cell}>
      <FileInput
        label={label}
        placeholder={t('Choose a file')}
        accept={CERTIFICATE_EXTENSIONS}
        clearable
        clearButtonProps={{ 'aria-label': t('Remove {{name}}', { name }) }}
        // The content is kept elsewhere; this shows the name only.
        value={name === '' ? null : new File([], name)}
        error={problem !== ''}
        onChange={(file) => void pick(file)}
      />
      <FieldHint id={`${label}-${name}`} hint={undefined} error={problem} />
    </div>
  )
}

interface CertificatePairRowsProps {
  pairs: readonly CertificatePair[]
  onChange: (pairs: readonly CertificatePair[]) => void
  /** Whether each certificate needs its private key. */
  withKey: boolean
}

/** Rows of certificate files; at least one row remains. */
export function CertificatePairRows({ pairs, onChange, withKey }: CertificatePairRowsProps) {
  const t = useT()
  return (
    <>
      {pairs.map((pair) => (
        <div key={pair.id} className={css.row}>
          <CertificatePairFields
            pair={pair}
            withKey={withKey}
            onChange={(next) => onChange(pairs.map((each) => (each.id === pair.id ? next : each)))}
          />
          <ActionIcon
            className={css.remove ?? ''}
            aria-label={t('Remove')}
            disabled={pairs.length === 1}
            onClick={() => onChange(withoutPair(pairs, pair.id))}
          >
            <Icon of={IconTrash} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          size="xs"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => onChange([...pairs, emptyCertificatePair()])}
        >
          {t('Add Certificate')}
        </Button>
      </div>
    </>
  )
}
