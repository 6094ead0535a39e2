import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { change } from '../../../lib/changes/change.ts'
import { confirmDelete } from '../../../lib/feedback/confirm.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { msg, t, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { AddButton } from '../../../ui/controls/ListButtons.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type RowAction, type TableTexts } from '../../../ui/table/DataTable.tsx'
import css from '../styles/buckets.module.css'
import { type AccessRuleInput, type AccessRuleItem, ruleAccessText } from './access-rules.ts'

const AccessRuleModal = loadableDialog(async () => (await import('./AccessRuleModal.tsx')).AccessRuleModal)

const texts: TableTexts = {
  name: msg('Access Rules'),
  empty: msg('There are no Access Rules yet.'),
  noMatch: msg('No Access Rules match the filter.'),
}

const prefixText = ({ prefix }: AccessRuleItem) => (prefix === '' ? t('(whole bucket)') : prefix)
const accessText = ({ access }: AccessRuleItem) => t(ruleAccessText(access))

const columns: Column<AccessRuleItem>[] = [
  { key: 'prefix', label: msg('Prefix'), fixed: true, small: 'title', cell: prefixText },
  { key: 'access', label: msg('Access'), width: 200, small: 'note', value: accessText, cell: accessText },
]
const accessRuleRows = ({ accessRules }: Output<'listAccessRules'>) => accessRules
const rulePrefix = ({ prefix }: AccessRuleItem) => prefix

/** Lists the prefixes of the bucket that are publicly readable or writable. */
export function AccessRulesSection({ bucket }: { bucket: string }) {
  const t = useT()
  const query = useQuery({ ...q('listAccessRules', { params: { bucket } }), select: accessRuleRows })
  const needs = useDisabledReason({ bucket })
  const [dialog, setDialog] = useState<{ rule: AccessRuleInput; isNew: boolean }>()
  /** The input of a rule that the server rejected. The dialog closes then, and shows this input when opened again. */
  const [refused, setRefused] = useState<AccessRuleInput>()
  const missing = needs('s3:PutBucketPolicy')
  const cannotDelete = missing || needs('s3:DeleteBucketPolicy')
  const edit = ({ prefix, access }: AccessRuleItem) =>
    setDialog({ isNew: false, rule: { prefix, access: access === 'none' ? 'readonly' : access } })
  const actions: RowAction<AccessRuleItem>[] = [
    { type: 'view', label: msg('Edit Access Rule'), onClick: edit, disabled: () => missing },
    { type: 'delete', label: msg('Delete'), onClick: (rule) => askDelete(bucket, rule), disabled: () => cannotDelete },
  ]
  return (
    <div className={css.list}>
      <DataTable
        name="access-rules"
        texts={texts}
        query={query}
        needs={{ action: 's3:GetBucketPolicy', bucket }}
        rowId={rulePrefix}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'prefix', desc: false }}
        tools={
          <AddButton
            reason={missing}
            onClick={() => setDialog({ isNew: true, rule: refused ?? { prefix: '', access: 'readonly' } })}
          >
            {t('Add Access Rule')}
          </AddButton>
        }
        empty={
          <EmptyState title={t(texts.empty)}>
            {t('A rule lets everyone read or write the objects below a prefix, without signing in.')}
          </EmptyState>
        }
      />
      {dialog && (
        <AccessRuleModal
          bucket={bucket}
          {...dialog}
          rules={query.data ?? []}
          onRefused={(typed) => dialog.isNew && setRefused(typed)}
          onSaved={() => dialog.isNew && setRefused(undefined)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  )
}

/** The dialog closes immediately, as the specification requires; an error is shown in the snackbar. */
function askDelete(bucket: string, rule: AccessRuleItem) {
  const { prefix } = rule
  confirmDelete({
    title: t('Delete Access Rule'),
    name: prefixText(rule),
    body: (
      <Trans
        text="Everyone loses access to <prefix/> in <bucket/>."
        parts={{ prefix: <b>{prefixText(rule)}</b>, bucket: <b>{bucket}</b> }}
      />
    ),
    run: () => {
      const message = () => t('Access rule deleted')
      change('deleteAccessRule', { params: { bucket }, body: { prefix } }, { message }).catch(toast.failure)
      return Promise.resolve()
    },
  })
}
