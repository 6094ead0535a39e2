import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { q } from '../../../../lib/api/query.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { QueryView } from '../../../../ui/feedback/QueryView.tsx'
import { SwitchField } from '../../../../ui/form/SwitchField.tsx'
import live from '../../../../ui/live/log.module.css'
import { useLiveStream } from '../../../../ui/live/use-live-stream.ts'
import { LiveLog } from '../logs/LiveLog.tsx'
import { LogLineText } from '../logs/LogLineText.tsx'
import css from '../logs/log.module.css'

interface PodName {
  namespace: string
  tenant: string
  pod: string
}

/** The log of a container: live, or of the run before the last restart. */
export function PodLogs({ namespace, tenant, pod }: PodName) {
  const t = useT()
  const { data: pods = [] } = useQuery(q('listTenantPods', { params: { namespace, tenant } }))
  const containers = pods.find(({ name }) => name === pod)?.containers ?? []
  const [container, setContainer] = useState<string>()
  const [previous, setPrevious] = useState(false)
  const tools = (
    <>
      {containers.length > 1 && (
        <Select
          aria-label={t('Container')}
          data={containers}
          w={160}
          allowDeselect={false}
          value={container ?? (containers.includes('minio') ? 'minio' : (containers[0] ?? null))}
          onChange={(name) => setContainer(name ?? undefined)}
        />
      )}
      <SwitchField
        label={t('Previous run')}
        checked={previous}
        onChange={(event) => setPrevious(event.currentTarget.checked)}
      />
    </>
  )
  const at = { namespace, tenant, pod, container, tools }
  return previous ? <PreviousLog {...at} /> : <CurrentLog key={container} {...at} />
}

interface LogProps extends PodName {
  container: string | undefined
  tools: React.ReactNode
}

function CurrentLog({ container, tools, ...params }: LogProps) {
  const query = container === undefined ? {} : { container }
  const { stream, view } = useLiveStream('followPodLog', () => ({ params, query }))
  useEffect(() => stream.start(), [stream])
  return <LiveLog stream={stream} view={view} toLine={(line) => ({ line })} file={params.pod} tools={tools} />
}

function PreviousLog({ container, tools, ...params }: LogProps) {
  const query = useQuery(
    q('getPodLog', { params, query: { previous: 'true', ...(container === undefined ? {} : { container }) } }),
  )
  return (
    <>
      <div className={live.tools}>{tools}</div>
      <QueryView query={query}>{(log) => <PreviousLogLines log={log} />}</QueryView>
    </>
  )
}

function PreviousLogLines({ log }: { log: string }) {
  const lines = useMemo(() => log.replace(/\n$/, '').split('\n'), [log])
  return (
    <div className={css.whole}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
        <LogLineText key={index} line={line} marked="" />
      ))}
    </div>
  )
}
