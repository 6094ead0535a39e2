import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../lib/api/query.ts'
import { useSearchParam } from '../../../../lib/navigation/navigate.ts'
import { pathTo } from '../../../../lib/navigation/pages.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { Link } from '../../../../ui/controls/Link.tsx'
import { QueryView } from '../../../../ui/feedback/QueryView.tsx'
import { SegmentField } from '../../../../ui/form/SegmentField.tsx'
import css from '../../tenants.module.css'
import { EventsTable } from '../events/EventsTable.tsx'
import { PodLogs } from './PodLogs.tsx'

interface PodSectionProps {
  namespace: string
  tenant: string
  pod: string
}

/** A pod with its events, logs and description. */
export function PodSection(params: PodSectionProps) {
  const t = useT()
  const [tab = 'events', setTab] = useSearchParam('tab')
  return (
    <>
      <div className={css.body}>
        <h2>
          <Link to={pathTo('/namespaces/$namespace/tenants/$tenant/pods', params)}>{t('Pods')}</Link> / {params.pod}
        </h2>
        <SegmentField
          label={t('Show')}
          data={[
            { value: 'events', label: t('Events') },
            { value: 'logs', label: t('Logs') },
            { value: 'describe', label: t('Describe') },
          ]}
          value={tab}
          onChange={setTab}
        />
      </div>
      {tab === 'logs' ? (
        <PodLogs {...params} />
      ) : tab === 'describe' ? (
        <PodDescription {...params} />
      ) : (
        <PodEvents {...params} />
      )}
    </>
  )
}

function PodEvents(params: PodSectionProps) {
  const query = useQuery(q('listPodEvents', { params }))
  return <EventsTable query={query} />
}

function PodDescription(params: PodSectionProps) {
  const query = useQuery(q('describePod', { params }))
  return <QueryView query={query}>{({ yaml }) => <pre className={css.log}>{yaml}</pre>}</QueryView>
}
