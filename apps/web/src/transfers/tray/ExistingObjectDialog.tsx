import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { formatDateTime, formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { ObjectName } from '../../ui/values/ObjectName.tsx'
import type { FileUpload, Transfer } from '../list/types.ts'
import { transferUploads } from '../transfers.ts'
import { idsByState } from './transfer-actions.ts'
import css from './tray.module.css'

/** Asks, one after the other, about uploads whose object exists. If the user closes it, the tray still shows the question. */
export function ExistingObjectDialog({ list }: { list: readonly Transfer[] }) {
  const [later, setLater] = useState<ReadonlySet<string>>(new Set())
  const asking = list.filter(
    (transfer): transfer is FileUpload => transfer.kind === 'upload' && transfer.state === 'asking',
  )
  const open = asking.filter(({ id }) => !later.has(id))
  const [first] = open
  if (!first) return null
  return (
    <ReplaceQuestion
      key={first.id}
      upload={first}
      all={idsByState(open, 'asking')}
      onLater={() => setLater(new Set(idsByState(asking, 'asking')))}
    />
  )
}

function ReplaceQuestion({ upload, all, onLater }: { upload: FileUpload; all: string[]; onLater: () => void }) {
  const t = useT()
  const [toAll, setToAll] = useState(false)
  const { key, bucket, size, lastModified, there } = upload
  const answer = (choice: 'replace' | 'keep') => transferUploads.answer(toAll ? all : [upload.id], choice)
  return (
    <Dialog onClose={onLater} title={t('Replace the object?')}>
      <div className={css.question}>
        <p>
          <Trans
            text="<bucket/> already has an object named <name/>."
            parts={{
              bucket: <b>{bucket}</b>,
              name: (
                <code>
                  <ObjectName name={key} />
                </code>
              ),
            }}
          />
        </p>
        <dl className={css.compare}>
          <dt>{t('In the bucket')}</dt>
          <dd>
            {there ? (
              <>
                {formatSize(there.size)} <span className="ink-3">{formatDateTime(there.lastModified)}</span>
              </>
            ) : (
              t('Unknown')
            )}
          </dd>
          <dt>{t('To upload')}</dt>
          <dd>
            {formatSize(size)} <span className="ink-3">{formatDateTime(new Date(lastModified))}</span>
          </dd>
        </dl>
        {all.length > 1 && (
          <Checkbox
            checked={toAll}
            onChange={(event) => setToAll(event.currentTarget.checked)}
            label={t('Do the same for all {{total}} objects that exist', { total: all.length })}
          />
        )}
      </div>
      <div className={css.answers}>
        <Button onClick={() => answer('keep')} data-autofocus>
          {t('Keep')}
        </Button>
        <Button variant="filled" onClick={() => answer('replace')}>
          {t('Replace')}
        </Button>
      </div>
    </Dialog>
  )
}
