import { Checkbox, Select } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useT } from '../../../lib/text/i18n.ts'
import css from '../styles/buckets.module.css'
import { bucketSettingLabels, useCopiedSettings } from './copied-settings.ts'

interface CopySettingsFieldsProps {
  buckets: readonly string[]
  /** `form.getInputProps` for the source bucket and for the settings. */
  bind: (field: 'from' | 'settings') => GetInputPropsReturnType
  /** The selected source bucket. */
  from: string | null
  /** Whether a selection is required. */
  needed?: boolean
}

/** The fields to choose a source bucket, and which of its settings to copy. */
export function CopySettingsFields({ buckets, bind, from, needed = false }: CopySettingsFieldsProps) {
  const t = useT()
  const settings = useCopiedSettings()
  return (
    <>
      <Select
        label={t('Copy Settings From')}
        placeholder={needed ? t('Choose a bucket') : t('No bucket')}
        data={[...buckets]}
        searchable
        clearable={!needed}
        limit={200}
        nothingFoundMessage={t('No buckets match the filter.')}
        {...bind('from')}
      />
      {from !== null && (
        <Checkbox.Group label={t('Settings')} {...bind('settings')}>
          <div className={css.copied}>
            {settings.map((setting) => (
              <Checkbox key={setting} value={setting} label={t(bucketSettingLabels[setting])} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  )
}
