import { Button } from '@mantine/core'
import { useRef } from 'react'
import { toast } from '../../lib/feedback/toast.ts'
import { type Translate, useT } from '../../lib/text/i18n.ts'
import { plainName } from '../../lib/text/visible-name.ts'
import { transferUploads } from '../transfers.ts'
import type { UnmatchedFile } from '../uploads/upload-task.ts'

/**
 * The button to choose the file of an upload again after a reload. Several files can be chosen; each is matched to its upload.
 */
export function ChooseFileButton({ name }: { name: string }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button size="xs" aria-label={t('Choose File for {{name}}', { name })} onClick={() => input.current?.click()}>
        {t('Choose File')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const refused = transferUploads.attach([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
          for (const one of refused) toast.error(mismatchText(t, one))
        }}
      />
    </>
  )
}

function mismatchText(t: Translate, { file, why }: UnmatchedFile): string {
  const name = plainName(file.name)
  if (why === 'name') return t('No upload is waiting for {{name}}', { name })
  if (why === 'size') return t('{{name}} differs in size from the file that the upload started with', { name })
  return t('{{name}} was changed after the upload started', { name })
}
