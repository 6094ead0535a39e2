import type { ReplicationRule } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { change } from '../../lib/changes/change.ts'
import { confirmDelete } from '../../lib/feedback/confirm.ts'
import { msg, plural, useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { AddButton, DeleteButton } from '../../ui/controls/ListButtons.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { DataTable, type RowAction } from '../../ui/table/DataTable.tsx'
import { replicationRuleColumns } from './columns.tsx'
import { ReplicationTargets } from './ReplicationTargets.tsx'
import css from './replication.module.css'
import { destinationBucket, replicationRuleName, replicationRuleTexts } from './replication-rule-texts.ts'

const AddReplicationRuleModal = loadableDialog(
  async () => (await import('./AddReplicationRuleModal.tsx')).AddReplicationRuleModal,
)
const EditReplicationRuleModal = loadableDialog(
  async () => (await import('./EditReplicationRuleModal.tsx')).EditReplicationRuleModal,
)

const replicationRules = ({ rules }: { rules: ReplicationRule[] }) => rules

/** The replication rules of a bucket, and the progress of their targets. */
export function ReplicationSection({ bucket }: { bucket: string }) {
  const t = useT()
  const needs = useDisabledReason({ bucket })
  const query = useQuery({ ...q('listReplicationRules', { params: { bucket } }), select: replicationRules })
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<ReplicationRule>()
  const count = query.data?.length ?? 0
  const cannotChange = needs('s3:PutReplicationConfiguration')
  const cannotAdd = cannotChange || needs('admin:SetBucketTarget')

  const askDelete = (rules: readonly ReplicationRule[], clear?: () => void) => {
    const isLast = rules.length === count
    const [only] = rules.length === 1 ? rules : []
    confirmDelete({
      title: t(plural('Delete {{count}} replication rule', 'Delete {{count}} replication rules'), {
        count: rules.length,
      }),
      name: only ? destinationBucket(only) : bucket,
      body: isLast ? (
        <Trans
          text="New objects of <name/> are no longer replicated, and the remote target is removed. What has been replicated stays there."
          parts={{ name: <b>{bucket}</b> }}
        />
      ) : (
        t('What has been replicated stays there. A remote target without another rule is removed.')
      ),
      run: () =>
        change(
          'deleteReplicationRules',
          { params: { bucket }, body: { rules: rules.map(({ id }) => id) } },
          {
            onDone: () => clear?.(),
            message: () =>
              t(plural('{{count}} replication rule deleted', '{{count}} replication rules deleted'), {
                count: rules.length,
              }),
          },
        ),
    })
  }
  const actions: RowAction<ReplicationRule>[] = [
    { type: 'edit', label: msg('Edit'), onClick: setEditing, disabled: () => cannotChange },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: (rule) => askDelete([rule]),
      disabled: () =>
        cannotChange ||
        (count > 1 && t('The bucket has several rules. Select those that you want to delete together.')),
    },
  ]

  return (
    <div className={css.section}>
      <ReplicationTargets bucket={bucket} />
      <DataTable
        name="replication"
        texts={replicationRuleTexts}
        query={query}
        needs={{ action: 's3:GetReplicationConfiguration', bucket }}
        rowId={replicationRuleName}
        columns={replicationRuleColumns}
        actions={actions}
        defaultSort={{ key: 'priority', desc: true }}
        tools={
          <AddButton reason={cannotAdd} onClick={() => setAdding(true)}>
            {t('Add Replication Rule')}
          </AddButton>
        }
        selection={{
          actions: (rows, clear) => <DeleteButton reason={cannotChange} onClick={() => askDelete(rows, clear)} />,
        }}
      />
      {adding && <AddReplicationRuleModal bucket={bucket} onClose={() => setAdding(false)} />}
      {editing && <EditReplicationRuleModal bucket={bucket} rule={editing} onClose={() => setEditing(undefined)} />}
    </div>
  )
}
