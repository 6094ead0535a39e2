import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { asFailure, call } from '../../lib/api/api.ts'
import { invalidate } from '../../lib/api/query.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { plural, useT } from '../../lib/text/i18n.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import formCss from '../../ui/FormModal.module.css'
import { ProgressBar } from '../../ui/Gauge.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { whileBusy } from '../../ui/while-busy.tsx'
import css from './buckets.module.css'
import { EmptyItFirst, isNotEmpty } from './use-delete-bucket.tsx'

type Outcome = { state: 'deleted' } | { state: 'failed'; error: unknown }

/** Deletes a selection, one after the other, and tells what became of each. */
export function DeleteBucketsModal({ names, onClose }: { names: string[]; onClose: () => void }) {
  const t = useT()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [phase, setPhase] = useState<'asking' | 'running' | 'done'>('asking')
  const stop = useRef(new AbortController())
  const failed = [...outcomes.values()].filter((o) => o.state === 'failed').length
  const deleted = outcomes.size - failed

  const run = async () => {
    setPhase('running')
    const results = new Map<string, Outcome>()
    for (const name of names) {
      if (stop.current.signal.aborted) break
      try {
        await call('deleteBucket', { params: { bucket: name }, body: { name }, signal: stop.current.signal })
        results.set(name, { state: 'deleted' })
      } catch (error) {
        if (!stop.current.signal.aborted) results.set(name, { state: 'failed', error })
      }
      setOutcomes(new Map(results))
    }
    setPhase('done')
    const gone = [...results.values()].filter((o) => o.state === 'deleted').length
    if (gone > 0) toast.ok(t(plural('{{count}} bucket deleted', '{{count}} buckets deleted'), { count: gone }))
    await invalidate('listBuckets')
    // With a failure it stays open: that is what has to be read.
    if (gone === names.length) onClose()
  }
  const close = () => {
    stop.current.abort()
    onClose()
  }
  const title = t(plural('Delete {{count}} bucket', 'Delete {{count}} buckets'), { count: names.length })

  return (
    <Dialog onClose={close} title={title}>
      <div className={formCss.body}>
        <p>
          {phase === 'done' && failed > 0
            ? t(plural('{{count}} bucket could not be deleted', '{{count}} buckets could not be deleted'), {
                count: failed,
              })
            : t('The buckets and their settings will be deleted permanently. Only empty buckets can be deleted.')}
        </p>
        {phase === 'running' && (
          <ProgressBar
            share={outcomes.size / names.length}
            label={t('{{deleted}} of {{total}} deleted', { deleted, total: names.length })}
          />
        )}
        <ul className={css.results} aria-live="polite">
          {names.map((name) => (
            <Result key={name} name={name} outcome={outcomes.get(name)} />
          ))}
        </ul>
      </div>
      <div className={formCss.foot}>
        <div className="grow" />
        <Button onClick={close} data-autofocus>
          {phase === 'done' ? t('Close') : t('Cancel')}
        </Button>
        {phase !== 'done' && (
          <Button variant="filled" color="red" {...whileBusy(phase === 'running')} onClick={() => void run()}>
            {title}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

function Result({ name, outcome }: { name: string; outcome: Outcome | undefined }) {
  const t = useT()
  return (
    <li className={css.result}>
      <span className="truncate strong">{name}</span>
      {outcome?.state === 'deleted' && <Mark state="ok">{t('Deleted')}</Mark>}
      {outcome?.state === 'failed' && (
        <span>
          <Mark state="bad">{asFailure(outcome.error).errorMessage}</Mark>
          {isNotEmpty(outcome.error) && (
            <div>
              <EmptyItFirst bucket={name} />
            </div>
          )}
        </span>
      )}
    </li>
  )
}
