import { Button } from '@mantine/core'
import type { LifecycleForecast, LifecycleRule, Output } from '@stowage/contract'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { isNotFound, loadedResult, withData } from '../../../lib/api/query-result.ts'
import { change, useChange } from '../../../lib/changes/change.ts'
import { confirmDelete } from '../../../lib/feedback/confirm.ts'
import { formatSize } from '../../../lib/text/format.ts'
import { msg, plural, t, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { useSmallScreen } from '../../../lib/use-small-screen.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { DeleteButton } from '../../../ui/controls/ListButtons.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { BulkDialog } from '../../../ui/dialog/BulkDialog.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import css from './lifecycle.module.css'
import {
  expirationText,
  LIFECYCLE_ACTION_TEXTS,
  lifecycleActionText,
  storageClassText,
  transitionText,
} from './lifecycle-rule-texts.ts'

const LifecycleRuleModal = loadableDialog(async () => (await import('./LifecycleRuleModal.tsx')).LifecycleRuleModal)

const texts: TableTexts = {
  name: msg('Lifecycle rules'),
  empty: msg('There are no Lifecycle rules yet'),
  emptyHint: msg('A rule deletes objects after some time, or moves them to a tier.'),
  noMatch: msg('No lifecycle rules match the filter.'),
}

const columns: Column<LifecycleRule>[] = [
  {
    key: 'id',
    label: msg('ID'),
    width: 150,
    fixed: true,
    small: 'title',
    cell: ({ id }) => <span title={id}>{id}</span>,
  },
  {
    key: 'prefix',
    label: msg('Prefix'),
    width: 130,
    cell: ({ prefix }) => <span title={prefix}>{prefix || '–'}</span>,
  },
  {
    key: 'status',
    label: msg('Status'),
    width: 104,
    small: 'aside',
    cell: ({ status }) => (
      <StatusIcon state={status === 'Enabled' ? 'ok' : 'off'}>
        {status === 'Enabled' ? t('Enabled') : t('Disabled')}
      </StatusIcon>
    ),
  },
  {
    key: 'expiration',
    label: msg('Expiration'),
    small: 'note',
    value: expirationText,
    cell: (rule) => <ExpirationCell rule={rule} />,
  },
  {
    key: 'transition',
    label: msg('Transition'),
    width: 120,
    yields: 1,
    value: transitionText,
    cell: (rule) => <span title={transitionText(rule)}>{transitionText(rule) || '–'}</span>,
  },
  {
    key: 'storage_class',
    label: msg('Storage Class'),
    width: 125,
    yields: 2,
    value: storageClassText,
    cell: (rule) => storageClassText(rule) || '–',
  },
]

/** When objects expire. A small screen has no columns for the transition, so it is shown here. */
function ExpirationCell({ rule }: { rule: LifecycleRule }) {
  const small = useSmallScreen()
  const text = small ? lifecycleActionText(rule) : expirationText(rule)
  return <span title={text}>{text || '–'}</span>
}

const NONE: LifecycleRule[] = []
const lifecycleRules = ({ lifecycle }: Output<'listLifecycleRules'>) => lifecycle

/** The lifecycle rules of a bucket, and which of them acts next. */
export function LifecycleSection({ bucket }: { bucket: string }) {
  const t = useT()
  const params = { bucket }
  const needs = useDisabledReason(params)
  const cannot = needs('s3:PutLifecycleConfiguration')
  const query = useQuery({ ...q('listLifecycleRules', { params }), select: lifecycleRules })
  const [editing, setEditing] = useState<LifecycleRule | 'new' | undefined>(undefined)
  const [deleting, setDeleting] = useState<LifecycleRule[]>([])
  const { error } = query
  useEffect(() => {
    if (error && !isNotFound({ error })) console.warn('The lifecycle rules could not be read', error)
  }, [error])

  return (
    <>
      {query.data && query.data.length > 0 && <LifecycleForecastNote bucket={bucket} />}
      <DataTable
        name="lifecycle"
        texts={texts}
        // The server responds with 404 if there is no configuration.
        query={isNotFound(query) ? { ...loadedResult(NONE), refetch: query.refetch } : withData(query, query.data)}
        needs={{ action: 's3:GetLifecycleConfiguration', bucket }}
        rowId={({ id }) => id}
        columns={columns}
        actions={[
          { type: 'edit', label: msg('Edit'), onClick: setEditing, disabled: () => cannot },
          { type: 'delete', label: msg('Delete'), onClick: (rule) => askDelete(bucket, rule), disabled: () => cannot },
        ]}
        filter={{ placeholder: msg('Filter'), text: ({ id, prefix }) => `${id} ${prefix}` }}
        tools={
          <Disabled reason={cannot}>
            <Button size="xs" variant="filled" leftSection={<Icon of={IconPlus} />} onClick={() => setEditing('new')}>
              {t('Add Lifecycle Rule')}
            </Button>
          </Disabled>
        }
        selection={{
          actions: (rows) => <DeleteButton reason={cannot} onClick={() => setDeleting(rows)} />,
        }}
      />
      {editing !== undefined && (
        <LifecycleRuleModal
          bucket={bucket}
          rule={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting.length > 0 && (
        <BulkDialog
          title={t(plural('Delete {{count}} lifecycle rule', 'Delete {{count}} lifecycle rules'), {
            count: deleting.length,
          })}
          body={t('Objects that the rules have not removed or moved yet stay as they are.')}
          names={deleting.map(({ id }) => id)}
          operation="deleteLifecycleRule"
          input={(id) => ({ params: { bucket, id } })}
          done={t('Deleted')}
          progress={(deleted, total) => t('{{deleted}} of {{total}} deleted', { deleted, total })}
          failed={(count) =>
            t(plural('{{count}} rule could not be deleted', '{{count}} rules could not be deleted'), { count })
          }
          message={(count) => t(plural('{{count}} rule deleted', '{{count}} rules deleted'), { count })}
          danger
          onClose={() => setDeleting([])}
        />
      )}
    </>
  )
}

/** States which rule acts next, when and on how many objects, or why none does. */
function LifecycleForecastNote({ bucket }: { bucket: string }) {
  const t = useT()
  const { data } = useQuery(q('getLifecycleForecast', { params: { bucket } }))
  if (!data) return null
  if (data.waiting) return <WaitingClock waiting={data.waiting} />
  if (!data.next) return <p className={css.forecast}>{t('No rule applies to the current objects.')}</p>
  const { next } = data
  return (
    <p className={css.forecast}>
      <Trans
        text="Next: the rule <rule/> acts on {{objects}} ({{size}}), each {{action}} <time/>."
        values={{
          objects: t(plural('{{count}} object', '{{count}} objects'), { count: next.versions }),
          size: formatSize(next.bytes),
          action: t(LIFECYCLE_ACTION_TEXTS[next.action]),
        }}
        parts={{ rule: <b>{next.rule_id}</b>, time: <Time at={next.due} exact /> }}
      />
      {!data.complete && <span className="ink-3"> {t('Based on a sample of the bucket.')}</span>}
    </p>
  )
}

function WaitingClock({ waiting }: { waiting: NonNullable<LifecycleForecast['waiting']> }) {
  const t = useT()
  const needs = useDisabledReason()
  const confirm = useChange('confirmLifecycleClock', { message: () => t('Clock confirmed') })
  return (
    <Banner
      kind="warn"
      title={t('Lifecycle rules are waiting')}
      action={
        <Disabled reason={needs('admin:ConfigUpdate')}>
          <Button {...whileBusy(confirm.isPending)} onClick={() => confirm.run({ body: {} })}>
            {t('Confirm clock')}
          </Button>
        </Disabled>
      }
    >
      <Trans
        text="The clock of the server is at <found/>. The expected time is <expected/>. Nothing is removed until an administrator confirms that the clock is right."
        parts={{ found: <Time at={waiting.found} exact />, expected: <Time at={waiting.expected} exact /> }}
      />
    </Banner>
  )
}

function askDelete(bucket: string, { id }: LifecycleRule) {
  confirmDelete({
    title: t('Delete Lifecycle Rule'),
    name: id,
    body: t('Objects that the rule has not removed or moved yet stay as they are.'),
    run: () =>
      change(
        'deleteLifecycleRule',
        { params: { bucket, id } },
        { message: () => t('Lifecycle rule of {{bucket}} deleted', { bucket }) },
      ),
  })
}
