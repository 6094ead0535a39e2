import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ObjectDetails } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../../lib/changes/change.ts'
import { formatBytes } from '../../../lib/text/format.ts'
import { type Message, msg, useT } from '../../../lib/text/i18n.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import modal from '../../../ui/dialog/FormModal.module.css'
import { DialogTitle, FormModal, WIDE_DIALOG_WIDTH } from '../../../ui/dialog/FormModal.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import css from '../styles/object-detail.module.css'
import { type EditedText, fromEditedText, type NotEditableReason, toEditedText } from './edited-text.ts'
import { contentAddress, PIECE_BYTES, readContentPiece } from './read-content.ts'

interface EditTextModalProps {
  bucket: string
  name: string
  /** The details of the latest version when the dialog was opened. */
  details: ObjectDetails
  onClose: () => void
}

const notEditableTexts: Record<NotEditableReason, Message> = {
  encoding: msg('This is not UTF-8 text, so it cannot be edited here.'),
  binary: msg('This is not text, so it cannot be edited here.'),
  'line-ends': msg('The lines end in different ways. Editing would change all of them, so it is not offered.'),
}

/** The dialog to edit the content of a text object. Saving fails if the object was replaced meanwhile. */
export function EditTextModal({ bucket, name, details, onClose }: EditTextModalProps) {
  const t = useT()
  // Keeps the initial details: a refreshed list must not replace the user's input.
  const [opened] = useState(details)
  const src = contentAddress(bucket, opened.name, opened.version_id)
  const query = useQuery({
    queryKey: ['edit', src, opened.etag] as const,
    queryFn: async ({ signal }) => toEditedText((await readContentPiece(src, 0, signal, opened.etag)).bytes),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (query.data !== undefined && typeof query.data !== 'string')
    return <Editor bucket={bucket} name={name} details={opened} edited={query.data} onClose={onClose} />
  return (
    <Dialog
      onClose={onClose}
      size={WIDE_DIALOG_WIDTH}
      title={<DialogTitle title={t('Edit Text')} subject={plainName(name)} />}
    >
      <div className={modal.body}>
        <QueryView query={query}>
          {(reason) => typeof reason === 'string' && <p>{t(notEditableTexts[reason])}</p>}
        </QueryView>
      </div>
    </Dialog>
  )
}

function Editor({ bucket, name, details, edited, onClose }: EditTextModalProps & { edited: EditedText }) {
  const t = useT()
  const form = useForm({
    initialValues: { text: edited.text },
    validate: {
      text: (text) => (contentSize({ ...edited, text }) > PIECE_BYTES ? t('The text is larger than 1 MiB') : null),
    },
  })
  const save = useChange('setObjectText', {
    onDone: onClose,
    message: () => t('{{name}} saved', { name: plainName(name) }),
  })
  return (
    <FormModal
      wide
      title={t('Edit Text')}
      subject={plainName(name)}
      form={form}
      change={save}
      ready={form.values.text !== edited.text}
      stored={formatBytes(contentSize({ ...edited, text: form.values.text }))}
      onClose={onClose}
      onSubmit={({ text }) =>
        save.run({
          params: { bucket },
          query: { prefix: details.name },
          body: { text: fromEditedText({ ...edited, text }), etag: details.etag ?? '' },
        })
      }
    >
      <Textarea
        aria-label={t('Text')}
        classNames={{ input: css.editor ?? '' }}
        rows={20}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('text')}
      />
      <p className={css.hint}>
        {t('Content type, metadata and tags are kept. In a bucket with versions this makes a new version.')}
      </p>
    </FormModal>
  )
}

const contentSize = (edited: EditedText) => new TextEncoder().encode(fromEditedText(edited)).length
