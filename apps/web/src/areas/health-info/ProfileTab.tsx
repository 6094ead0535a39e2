import { Select } from '@mantine/core'
import { useState } from 'react'
import { callAddress } from '../../lib/api/call-address.ts'
import { formatDuration } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { DownloadAction } from './DownloadAction.tsx'
import css from './health-info.module.css'

const SECONDS = [5, 10, 30] as const
type ProfileKinds = 'cpu' | 'mem' | 'cpu,mem'
const isProfileKinds = (text: string | null): text is ProfileKinds =>
  text === 'cpu' || text === 'mem' || text === 'cpu,mem'

/** Where the server spends its time, and what takes its memory. */
export function ProfileTab() {
  const t = useT()
  const [kinds, setKinds] = useState<ProfileKinds>('cpu,mem')
  const [seconds, setSeconds] = useState('10')
  return (
    <div className={css.body}>
      <p className="ink-2">
        {t(
          'A profile shows where the server spends its time, and which parts of its program take memory. It has no data of users: memory is sampled, never copied. The profile stays on this computer until you send it.',
        )}
      </p>
      <div className={css.actions}>
        <Select
          label={t('What is measured')}
          allowDeselect={false}
          data={[
            { value: 'cpu,mem', label: t('CPU and memory') },
            { value: 'cpu', label: t('CPU') },
            { value: 'mem', label: t('Memory') },
          ]}
          value={kinds}
          onChange={(value) => isProfileKinds(value) && setKinds(value)}
        />
        <Select
          label={t('Duration')}
          allowDeselect={false}
          data={SECONDS.map((each) => ({ value: String(each), label: formatDuration(each) }))}
          value={seconds}
          onChange={(value) => value && setSeconds(value)}
        />
      </div>
      <DownloadAction
        action="admin:Profiling"
        label={t('Download Profile')}
        file={{ href: callAddress('profile', { query: { kinds, seconds: Number(seconds) } }), name: 'profile.zip' }}
      />
      <p className="ink-3">
        {t(
          'The download begins when the time has passed. Chrome DevTools and the tool pprof of Go open the files in it.',
        )}
      </p>
    </div>
  )
}
