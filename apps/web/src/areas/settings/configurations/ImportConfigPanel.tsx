import { Button, FileInput } from '@mantine/core'
import { formatSize } from '@stowage/contract'
import { useState } from 'react'
import { useFreshRead } from '../../../lib/api/fresh-read.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { recordSaved } from '../../../lib/changes/server-restart.ts'
import type { PageTarget } from '../../../lib/navigation/pages.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { FieldHint } from '../../../ui/form/FieldHint.tsx'
import css from '../settings.module.css'
import { MAX_IMPORT_BYTES, readImportFile } from './config-file.ts'
import { ImportConfigPreview } from './ImportConfigPreview.tsx'

interface ImportConfigPanelProps {
  back: { label: string; to: PageTarget }
  onDone: () => void
}

/** The steps to import an exported configuration: choose a file, review the changes, import. */
export function ImportConfigPanel({ back, onDone }: ImportConfigPanelProps) {
  const t = useT()
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState('')
  const pick = async (file: File | null) => {
    setProblem('')
    setValue('')
    if (!file) return
    const read = await readImportFile(file).catch(() => null)
    if (read === null) setProblem(t('The file cannot be read'))
    else if (read === undefined)
      setProblem(t('The file is larger than {{size}}', { size: formatSize(MAX_IMPORT_BYTES) }))
    else if (read === '') setProblem(t('The file is empty'))
    else setValue(read)
  }
  return (
    <div className={css.panel}>
      <Link to={back.to} className="link">
        {back.label}
      </Link>
      <h2>{t('Import Configuration')}</h2>
      <p className="ink-2">
        {t(
          'Settings, targets and secrets that the file does not name stay as they are. Nothing changes before you confirm.',
        )}
      </p>
      <div className={css.fields}>
        <div>
          <FileInput
            label={t('File')}
            placeholder={t('Choose an exported configuration')}
            accept=".txt,.conf,.cfg,text/plain"
            clearable
            clearButtonProps={{ 'aria-label': t('Clear') }}
            error={problem !== ''}
            onChange={(file) => void pick(file)}
          />
          <FieldHint id="import-file" hint={undefined} error={problem} />
        </div>
      </div>
      {value !== '' && <Preview key={value} value={value} back={back} onDone={onDone} />}
    </div>
  )
}

function Preview({ value, back, onDone }: ImportConfigPanelProps & { value: string }) {
  const t = useT()
  const [remove, setRemove] = useState(false)
  const fresh = useFreshRead('previewConfigImport', { body: { value } }, { refetchOnWindowFocus: false })
  const save = useChange('importConfigs', {
    onDone,
    message: (answer) => recordSaved(answer),
  })
  return (
    <QueryView query={fresh} needs={{ action: 'admin:ConfigUpdate' }}>
      {(preview) => (
        <ImportConfigPreview
          preview={preview}
          remove={remove}
          onRemove={setRemove}
          failure={save.error}
          isPending={save.isPending}
          onCompare={() => {
            save.reset()
            void fresh.refetch()
          }}
          onImport={() => save.run({ body: { value, remove, version: preview.version } })}
          cancel={
            <Button component={Link} to={back.to}>
              {t('Cancel')}
            </Button>
          }
        />
      )}
    </QueryView>
  )
}
