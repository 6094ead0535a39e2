import { Button, TextInput } from '@mantine/core'
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconRefresh, IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { LiveStream, LiveView } from '../../lib/api/live-stream.ts'
import { saveText, timestampedFileName } from '../../lib/save-text.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import { isStreamActive } from './bucket-or-all.ts'
import { LiveFacts } from './LiveFacts.tsx'
import css from './log.module.css'

interface LogToolsProps<Message> {
  stream: LiveStream<Message>
  view: LiveView<Message>
  /** The text to highlight in the lines. */
  highlight: string
  onHighlight: (text: string) => void
  /** The prefix of the name of the downloaded file. */
  file: string
  lineText: (message: Message) => string
  /** Controls that choose which lines are shown. */
  children?: ReactNode
}

/** The tools above a live log: Highlight Line, the state of the stream, Download, and Pause or Start. */
export function LogTools<Message>(props: LogToolsProps<Message>) {
  const { stream, view, highlight, onHighlight, file, lineText, children } = props
  const t = useT()
  const save = () =>
    saveText(
      timestampedFileName(file, 'txt'),
      'text/plain',
      stream.all().flatMap(({ message }) => (message === undefined ? [] : [`${lineText(message)}\n`])),
    )
  return (
    <div className={css.tools}>
      <TextInput
        aria-label={t('Highlight Line')}
        placeholder={t('Highlight Line')}
        leftSection={<Icon of={IconSearch} />}
        className={css.highlight ?? ''}
        value={highlight}
        onChange={(event) => onHighlight(event.currentTarget.value)}
      />
      {children}
      <div className={css.facts}>
        <LiveFacts view={view} />
      </div>
      <Button size="xs" leftSection={<Icon of={IconDownload} />} disabled={view.rows.length === 0} onClick={save}>
        {t('Download')}
      </Button>
      {isStreamActive(view) ? (
        <Button
          size="xs"
          leftSection={<Icon of={view.paused ? IconPlayerPlay : IconPlayerPause} />}
          onClick={() => stream.pause(!view.paused)}
        >
          {view.paused ? t('Resume') : t('Pause')}
        </Button>
      ) : (
        <Button size="xs" leftSection={<Icon of={IconRefresh} />} onClick={() => stream.start()}>
          {t('Start')}
        </Button>
      )}
    </div>
  )
}
