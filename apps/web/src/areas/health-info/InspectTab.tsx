import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { decodeBase64 } from '../../lib/base64.ts'
import { useChange } from '../../lib/changes/change.ts'
import { saveFile } from '../../lib/save-file.ts'
import { timestampedFileName } from '../../lib/save-text.ts'
import { useT } from '../../lib/text/i18n.ts'
import { TechnicalDetails } from '../../ui/feedback/Banner.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { DownloadAction } from './DownloadAction.tsx'
import css from './health-info.module.css'

/** The tab to download files as they are on the drives of a MinIO server. */
export function InspectTab() {
  const t = useT()
  const form = useForm({ initialValues: { volume: '', file: '' } })
  const inspect = useChange('inspectData', {
    onDone: ({ value }) => saveFile(timestampedFileName('inspect', 'zip'), decodeBase64(value), 'application/zip'),
    message: () => t('Files downloaded'),
  })
  const { volume, file } = form.values
  return (
    <form className={css.body} onSubmit={form.onSubmit((values) => inspect.run({ body: values }))}>
      <p className="ink-2">
        {t(
          'Downloads files from all drives of a MinIO server as they are stored, to find out what is damaged. The archive can have data of users. It stays on this computer until you send it.',
        )}
      </p>
      <div className={css.actions}>
        <TextInput label={t('Bucket')} {...form.getInputProps('volume')} />
        <TextInput
          label={t('Path')}
          description={t('For example: folder/object/xl.meta. * is any text without a slash, ** any text.')}
          {...form.getInputProps('file')}
        />
      </div>
      <DownloadAction
        action="admin:InspectData"
        label={t('Download Files')}
        loading={inspect.isPending}
        disabled={volume === '' || file === ''}
      />
      <div role="status" className={css.status}>
        {inspect.error && (
          <>
            <StatusIcon state="bad">{t('The files could not be read.')}</StatusIcon>
            <span>{inspect.error.errorMessage}</span>
            {inspect.error.detailedError !== '' && <TechnicalDetails text={inspect.error.detailedError} />}
          </>
        )}
      </div>
    </form>
  )
}
