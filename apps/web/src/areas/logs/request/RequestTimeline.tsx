import type { TraceMessage } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { pathToObject } from '../../../lib/navigation/object-address.ts'
import { clockTime, shortDurationText } from '../../../lib/text/clock-time.ts'
import { type Message, msg, useT } from '../../../lib/text/i18n.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import css from './request.module.css'
import { type RequestStep, type RequestStepKind, requestSteps } from './request-steps.ts'

const kinds: Record<RequestStepKind, Message> = {
  console: msg('Console'),
  request: msg('Request'),
  trace: msg('Trace'),
  drive: msg('Drive work'),
  log: msg('Log'),
}

const NO_TRACE: readonly TraceMessage[] = []

export interface RequestTimelineProps {
  /** The ID of a request to the storage server or to this console. */
  requestId: string
  /** The time of the request (RFC 3339), which makes the search faster. */
  at?: string
  /** Trace records that belong to the request. */
  trace?: readonly TraceMessage[]
}

/** Everything known about one request, on a timeline. */
export function RequestTimeline({ requestId, at, trace = NO_TRACE }: RequestTimelineProps) {
  const t = useT()
  const query = useQuery(q('followRequest', { params: { id: requestId }, query: at === undefined ? {} : { at } }))
  return (
    <QueryView query={query} needs={{ action: 'admin:ConsoleLog' }}>
      {({ records, log, log_read }) => {
        const steps = requestSteps({ records, log, trace })
        return (
          <>
            {steps.length === 0 ? (
              <EmptyState title={t('No records of this request were found')}>
                {t(
                  'No audit record, log line or trace record has this ID. Records may come a moment after the request.',
                )}
              </EmptyState>
            ) : (
              <RequestSteps steps={steps} />
            )}
            <ul className={css.notes}>
              {!log_read && <li>{t('The log of the server could not be read.')}</li>}
              {trace.length === 0 && (
                <li>{t('Drive operations are shown for requests that are opened from a running trace.')}</li>
              )}
              {trace.some(({ requestId: id }) => id === '') && (
                <li>{t('Drive operations have no request ID. They are matched by path and time.')}</li>
              )}
            </ul>
          </>
        )
      }}
    </QueryView>
  )
}

function RequestSteps({ steps }: { steps: readonly RequestStep[] }) {
  const t = useT()
  const begin = steps[0]?.at ?? 0
  const end = Math.max(...steps.map(({ at, durationMs }) => at + durationMs), begin + 1)
  const share = (ms: number) => `${(ms / (end - begin)) * 100}%`
  return (
    <ol className={css.steps} aria-label={t('Time line')}>
      {steps.map(({ id, kind, name, detail, object, at, durationMs, state, outcome }) => (
        <li key={id} className={css.step}>
          <span className="figures ink-2">{clockTime(at)}</span>
          <span className={css.kind}>{t(kinds[kind])}</span>
          <span className={css.what}>
            <span className="strong">{name}</span> {outcome !== '' && <StatusIcon state={state}>{outcome}</StatusIcon>}
            <span className="mono truncate" title={detail}>
              {object ? (
                <Link className="link" to={pathToObject(object.bucket, object.key)}>
                  <ObjectName name={detail} />
                </Link>
              ) : (
                <ObjectName name={detail} />
              )}
            </span>
          </span>
          <span className={css.track} aria-hidden>
            <i className={css[kind]} style={{ left: share(at - begin), width: share(durationMs) }} />
          </span>
          <span className={`figures ${css.span}`}>{durationMs > 0 ? shortDurationText(durationMs * 1e6) : ''}</span>
        </li>
      ))}
    </ol>
  )
}
