import { useForm } from '@mantine/form'
import type { CopiedSetting } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bucketsQuery } from '../../../lib/data/buckets.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { BulkDialog } from '../../../ui/dialog/BulkDialog.tsx'
import { FormModal, NO_FORM_CHANGE } from '../../../ui/dialog/FormModal.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { CopySettingsFields } from './CopySettingsFields.tsx'
import { bucketSettingLabels, defaultCopiedSettings, useCopiedSettings } from './copied-settings.ts'

interface Values extends Record<string, unknown> {
  from: string | null
  settings: CopiedSetting[]
}

/**
 * The dialog that replaces settings of a bucket by those of another: first the selection, then a confirmation and the results.
 */
export function CopySettingsModal({ bucket, onClose }: { bucket: string; onClose: () => void }) {
  const t = useT()
  const possible = useCopiedSettings()
  const { data } = useQuery(bucketsQuery)
  const others = (data?.buckets ?? []).map(({ name }) => name).filter((name) => name !== bucket)
  // The bucket may have objects, which the rules of another bucket could delete.
  const initial = defaultCopiedSettings(possible).filter((setting) => setting !== 'lifecycle')
  const form = useForm<Values>({ initialValues: { from: null, settings: initial } })
  const [chosen, setChosen] = useState<{ from: string; settings: CopiedSetting[] }>()
  const { from, settings } = form.values

  if (chosen) {
    const byName = new Map(chosen.settings.map((setting) => [t(bucketSettingLabels[setting]), setting]))
    return (
      <BulkDialog
        title={t(plural('Copy {{count}} setting', 'Copy {{count}} settings'), { count: byName.size })}
        body={
          <>
            <Trans
              text="These settings of <to/> are replaced by those of <from/>. A setting that is missing there is removed."
              parts={{ to: <b>{bucket}</b>, from: <b>{chosen.from}</b> }}
            />
            {chosen.settings.includes('lifecycle') && (
              <StatusIcon state="warn">
                {t('Lifecycle rules can delete or move objects of this bucket as soon as they are copied.')}
              </StatusIcon>
            )}
          </>
        }
        names={[...byName.keys()]}
        operation="copyBucketSetting"
        input={(name) => ({
          params: { bucket },
          body: { from: chosen.from, setting: byName.get(name) ?? 'tags' },
        })}
        done={t('Copied')}
        progress={(copied, total) => t('{{copied}} of {{total}} copied', { copied, total })}
        failed={(count) =>
          t(plural('{{count}} setting could not be copied', '{{count}} settings could not be copied'), { count })
        }
        message={(count) => t(plural('{{count}} setting copied', '{{count}} settings copied'), { count })}
        onClose={onClose}
      />
    )
  }
  return (
    <FormModal
      title={t('Copy Settings')}
      subject={bucket}
      form={form}
      change={NO_FORM_CHANGE}
      submit={t('Next')}
      ready={from !== null && settings.length > 0}
      onClose={onClose}
      onSubmit={(values) => values.from !== null && setChosen({ from: values.from, settings: values.settings })}
    >
      <CopySettingsFields buckets={others} bind={form.getInputProps} from={from} needed />
    </FormModal>
  )
}
