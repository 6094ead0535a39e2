import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { GiB, type Output } from '@stowage/contract'
import { useState } from 'react'
import { useChange } from '../../../lib/changes/change.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { localDayField } from '../../../lib/text/date-fields.ts'
import { formatDateTime, formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { plainName } from '../../../lib/text/visible-name.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import modal from '../../../ui/dialog/FormModal.module.css'
import { DialogTitle, FormModal } from '../../../ui/dialog/FormModal.tsx'
import { SizeInput } from '../../../ui/form/SizeInput.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { endOfDay, lastLinkDay, linkEndProblem } from './link-times.ts'
import css from './links.module.css'
import { uploadFormCommand, uploadFormPage } from './upload-form.ts'

interface UploadLinkModalProps {
  bucket: string
  /** The prefix of the open folder. */
  prefix: string
  onClose: () => void
}

type CreatedUploadLink = Output<'createUploadLink'>

const MAX_SIZE = 5 * GiB

/** The dialog that creates an upload form for others, limited to a prefix, and offers it as an HTML page and as a command. */
export function UploadLinkModal({ bucket, prefix, onClose }: UploadLinkModalProps) {
  const t = useT()
  const [created, setCreated] = useState<{ link: CreatedUploadLink; prefix: string; maxSize: number }>()
  const form = useForm({
    initialValues: { prefix, max_size: GiB, expires: lastLinkDay() },
    validate: {
      expires: (day) => {
        const problem = linkEndProblem(endOfDay(day))
        return problem === undefined ? null : t(problem)
      },
      max_size: (bytes) => (bytes > MAX_SIZE ? t('At most {{size}} per file', { size: formatSize(MAX_SIZE) }) : null),
    },
    validateInputOnBlur: true,
  })
  const create = useChange('createUploadLink', {
    onDone: (link, { body }) => setCreated({ link, prefix: body?.prefix ?? '', maxSize: body?.max_size ?? 0 }),
  })
  if (created) return <UploadLinkReady bucket={bucket} {...created} onClose={onClose} />
  return (
    <FormModal
      title={t('Create Upload Link')}
      subject={bucket}
      form={form}
      change={create}
      submit={t('Create Upload Link')}
      onClose={onClose}
      onSubmit={({ expires, ...values }) =>
        create.run({ params: { bucket }, body: { ...values, expires: new Date(endOfDay(expires)).toISOString() } })
      }
    >
      <TextField
        label={t('Prefix')}
        hint={t('Every key that is uploaded begins with this. End it with a slash for a folder.')}
        data-autofocus
        classNames={{ input: 'mono' }}
        {...form.getInputProps('prefix')}
      />
      <SizeInput
        label={t('Maximum size of a file')}
        units={['KiB', 'MiB', 'GiB']}
        {...form.getInputProps('max_size')}
      />
      <TextField
        label={t('Active until')}
        type="date"
        min={localDayField(new Date())}
        max={lastLinkDay()}
        hint={t('The link ends at the end of this day, local time, at most 7 days from now.')}
        {...form.getInputProps('expires')}
      />
      <p className={css.note}>
        {t(
          'Everybody who has the link can upload any number of files until it ends. A file with the name of an existing object replaces it.',
        )}
      </p>
    </FormModal>
  )
}

interface UploadLinkReadyProps {
  bucket: string
  prefix: string
  /** Bytes. */
  maxSize: number
  link: CreatedUploadLink
  onClose: () => void
}

function UploadLinkReady({ bucket, prefix, maxSize, link, onClose }: UploadLinkReadyProps) {
  const t = useT()
  const target = plainName(`${bucket}/${prefix}`)
  const save = () =>
    saveFile(
      `upload-to-${bucket}.html`,
      uploadFormPage(link, {
        title: t('Upload to {{target}}', { target }),
        notes: [
          t('Files of up to {{size}}, until {{time}}.', {
            size: formatSize(maxSize),
            time: formatDateTime(link.expires),
          }),
        ],
        file: t('File'),
        send: t('Upload'),
        language: document.documentElement.lang,
      }),
      'text/html',
    )
  const command = uploadFormCommand(link, t('your-file'))
  return (
    <Dialog onClose={onClose} size={640} title={<DialogTitle title={t('Upload Link')} subject={target} />}>
      <div className={modal.body}>
        <p className={css.note}>
          {t(
            'Save the page and send it to those who should upload. They open it in a browser and need no account. It cannot be shown again, but you can revoke it under Links.',
          )}
        </p>
        <div>
          <div className={css.commandHead}>
            <span className="grow">{t('The same with curl')}</span>
            <CopyButton text={command} name={t('command')} />
          </div>
          <pre className={css.command}>{command}</pre>
        </div>
      </div>
      <div className={modal.foot}>
        <div className={modal.stored}>
          <Trans text="Ends <time/>" parts={{ time: <Time at={link.expires} exact /> }} />
        </div>
        <Button onClick={onClose}>{t('Close')}</Button>
        <Button variant="filled" onClick={save} data-autofocus>
          {t('Save page')}
        </Button>
      </div>
    </Dialog>
  )
}
