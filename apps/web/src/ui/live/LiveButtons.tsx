import { Button } from '@mantine/core'
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { LiveStream, LiveView } from '../../lib/api/live-stream.ts'
import { saveText, timestampedFileName } from '../../lib/save-text.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import { isStreamActive } from './bucket-or-all.ts'
import css from './live.module.css'

interface LiveButtonsProps<Message> {
  stream: LiveStream<Message>
  view: LiveView<Message>
  /** False while there is nothing to start. */
  possible?: boolean
  onStart: () => void
  /** The prefix of the name of the saved file. */
  file: string
  /** The records to save. Default: the records in the stream's buffer. */
  messages?: readonly Message[] | undefined
}

/** The buttons of a page with a live list: Save, Pause, Stop and Start. */
export function LiveButtons<Message>(props: LiveButtonsProps<Message>) {
  const { stream, view, possible = true, onStart, file, messages } = props
  const t = useT()
  const live = isStreamActive(view)
  const save = () => {
    const kept = messages ?? stream.all().flatMap(({ message }) => (message ? [message] : []))
    const lines = kept.map((message) => `${JSON.stringify(message)}\n`)
    saveText(timestampedFileName(file, 'ndjson'), 'application/x-ndjson', lines)
  }
  return (
    <>
      <Button
        className={css.hideSmall ?? ''}
        leftSection={<Icon of={IconDownload} />}
        disabled={messages === undefined && view.rows.length === 0}
        onClick={save}
      >
        {t('Save NDJSON')}
      </Button>
      {live && (
        <Button
          leftSection={<Icon of={view.paused ? IconPlayerPlay : IconPlayerPause} />}
          onClick={() => stream.pause(!view.paused)}
        >
          {view.paused ? t('Resume') : t('Pause')}
        </Button>
      )}
      <StartStop live={live} possible={possible} onStart={onStart} onStop={() => stream.stop()} />
    </>
  )
}

interface StartStopProps {
  live: boolean
  possible: boolean
  onStart: () => void
  onStop: () => void
}

/** A button that stops a running stream and otherwise starts it. */
export function StartStop({ live, possible, onStart, onStop }: StartStopProps) {
  const t = useT()
  return live ? (
    <Button variant="filled" leftSection={<Icon of={IconPlayerStop} />} onClick={onStop}>
      {t('Stop')}
    </Button>
  ) : (
    <Button variant="filled" leftSection={<Icon of={IconPlayerPlay} />} disabled={!possible} onClick={onStart}>
      {t('Start')}
    </Button>
  )
}
