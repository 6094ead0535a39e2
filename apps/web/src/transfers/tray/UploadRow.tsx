import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRotate, IconX } from '@tabler/icons-react'
import { memo, type ReactNode, useEffect, useState } from 'react'
import { pathToObject } from '../../lib/navigation/object-address.ts'
import { formatSize } from '../../lib/text/format.ts'
import { plural, type Translate, useT } from '../../lib/text/i18n.ts'
import { lastSegment } from '../../lib/text/last-segment.ts'
import { plainName } from '../../lib/text/visible-name.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { StatusIcon, type StatusIconState } from '../../ui/icons/StatusIcon.tsx'
import { ProgressBar } from '../../ui/values/Gauge.tsx'
import { ObjectName } from '../../ui/values/ObjectName.tsx'
import { secondsLeft } from '../list/transfer-rate.ts'
import type { FileUpload, UploadState } from '../list/types.ts'
import { transferUploads } from '../transfers.ts'
import { ChooseFileButton } from './ChooseFileButton.tsx'
import { sentSizeText, timeLeftText, uploadProgressText } from './transfer-texts.ts'
import css from './tray.module.css'

const uploadStatusIcons: Record<UploadState, StatusIconState> = {
  checking: 'unknown',
  asking: 'warn',
  waiting: 'off',
  running: 'run',
  paused: 'off',
  held: 'off',
  'needs-file': 'warn',
  failed: 'bad',
  done: 'ok',
}

interface UploadRowProps {
  upload: FileUpload
  /** Shows the bucket and folder too, because another transfer has the same name. */
  whole?: boolean
}

/** An upload in the tray. */
export const UploadRow = memo(function UploadRow({ upload, whole = false }: UploadRowProps) {
  const t = useT()
  const { id, bucket, key, size, state, sent } = upload
  const name = lastSegment(key)
  const path = `${bucket}/${key}`
  const plain = plainName(whole ? path : name)
  const label =
    state === 'done' || state === 'failed'
      ? t('Remove {{name}} from the list', { name: plain })
      : t('Cancel {{name}}', { name: plain })
  return (
    <div className={css.row}>
      <div className={css.first}>
        <StatusIcon state={uploadStatusIcons[state]} />
        <span className={css.name} title={plainName(path)}>
          {whole && (
            <span className={css.place}>
              <ObjectName name={path.slice(0, -name.length)} />
            </span>
          )}
          {state === 'done' ? (
            <Link to={pathToObject(bucket, key)}>
              <ObjectName name={name} />
            </Link>
          ) : (
            <ObjectName name={name} />
          )}
        </span>
        <Actions upload={upload} name={plain} />
        <ActionIcon aria-label={label} onClick={() => transferUploads.cancel([id])}>
          <Icon of={IconX} />
        </ActionIcon>
      </div>
      {state !== 'done' && (
        <ProgressBar
          share={size > 0 ? sent / size : 0}
          state={state === 'failed' ? 'bad' : 'run'}
          label={t('Progress of {{name}}', { name: plain })}
        />
      )}
      <Facts upload={upload} />
    </div>
  )
})

function Actions({ upload: { id, state }, name }: { upload: FileUpload; name: string }) {
  const t = useT()
  if (state === 'failed') {
    return (
      <Button
        size="xs"
        leftSection={<Icon of={IconRotate} />}
        aria-label={t('Retry {{name}}', { name })}
        onClick={() => transferUploads.retry([id])}
      >
        {t('Retry')}
      </Button>
    )
  }
  if (state === 'needs-file') return <ChooseFileButton name={name} />
  if (state === 'asking') {
    return (
      <>
        <Button
          size="xs"
          aria-label={t('Keep {{name}}', { name })}
          onClick={() => transferUploads.answer([id], 'keep')}
        >
          {t('Keep')}
        </Button>
        <Button
          size="xs"
          aria-label={t('Replace {{name}}', { name })}
          onClick={() => transferUploads.answer([id], 'replace')}
        >
          {t('Replace')}
        </Button>
      </>
    )
  }
  if (state !== 'running' && state !== 'waiting' && state !== 'paused') return null
  const paused = state === 'paused'
  const label = paused ? t('Resume {{name}}', { name }) : t('Pause {{name}}', { name })
  return (
    <Tooltip label={paused ? t('Resume') : t('Pause')}>
      <ActionIcon
        aria-label={label}
        onClick={() => (paused ? transferUploads.resume([id]) : transferUploads.pause([id]))}
      >
        <Icon of={paused ? IconPlayerPlay : IconPlayerPause} />
      </ActionIcon>
    </Tooltip>
  )
}

function Facts({ upload }: { upload: FileUpload }) {
  const t = useT()
  const { left, right, bad = false, more } = uploadFacts(t, upload)
  return (
    <>
      <div className={css.facts}>
        <span className={bad ? css.bad : 'truncate'}>{left}</span>
        <span className={css.right}>{right}</span>
      </div>
      {more !== undefined && <div className={css.more}>{more}</div>}
    </>
  )
}

/** A countdown to the next attempt. */
function RetryCountdown({ at }: { at: number }) {
  const t = useT()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const count = Math.ceil((at - now) / 1000)
  if (count <= 0) return navigator.onLine ? t('Trying again') : t('Waiting for the network')
  return t(plural('Trying again in {{count}} second', 'Trying again in {{count}} seconds'), { count })
}

interface UploadFacts {
  left: ReactNode
  right?: ReactNode
  bad?: boolean
  more?: ReactNode
}

function uploadFacts(t: Translate, { state, sent, size, kept, rate, error, retry }: FileUpload): UploadFacts {
  const keptText = kept > 0 ? t('{{size}} kept', { size: sentSizeText(t, kept, size) }) : formatSize(size)
  switch (state) {
    case 'checking':
      return { left: t('Looking for an object with this name'), right: formatSize(size) }
    case 'asking':
      return { left: t('An object with this name exists'), right: formatSize(size) }
    case 'waiting':
      return { left: t('Waiting for its turn'), right: keptText }
    case 'running':
      if (retry)
        return { left: <RetryCountdown at={retry.at} />, right: keptText, bad: true, more: retry.error.errorMessage }
      if (sent === size && size > 0) return { left: t('{{size}}, finishing', { size: formatSize(size) }) }
      return { left: uploadProgressText(t, sent, size, rate), right: timeLeftText(secondsLeft(size - sent, rate)) }
    case 'paused':
      return { left: t('Paused'), right: keptText }
    case 'held':
      return { left: t('Continues when you sign in again'), right: keptText }
    case 'needs-file':
      return { left: t('Choose the file again to continue'), right: keptText }
    case 'failed':
      return {
        left: t('An error occurred while uploading the file'),
        right: keptText,
        bad: true,
        more: error?.errorMessage,
      }
    case 'done':
      return { left: t('Uploaded'), right: formatSize(size) }
  }
}
