import { useForm } from '@mantine/form'
import { accessRuleCalls } from '@stowage/contract/buckets/access-rules'
import { issueReason } from '@stowage/contract/reasons/issue-reason'
import { useState } from 'react'
import { type ApiFailure, asFailure, reasonText } from '../../../lib/api/api-failure.ts'
import { change } from '../../../lib/changes/change.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { requiredRule } from '../../../lib/text/required-field.ts'
import { ConflictNotice, isEditConflict, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { ChoiceField } from '../../../ui/form/ChoiceField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import {
  type AccessRuleInput,
  type AccessRuleItem,
  type EditableRuleAccess,
  ruleAccessHints,
  ruleAccessLabels,
  ruleAccessText,
} from './access-rules.ts'

interface AccessRuleModalProps {
  bucket: string
  rule: AccessRuleInput
  /** False to change the access of an existing rule. */
  isNew: boolean
  /** The rules that the list shows. */
  rules: readonly AccessRuleItem[]
  /** Called if the server rejected the rule; the dialog closes, as the specification requires. */
  onRefused: (typed: AccessRuleInput) => void
  onSaved: () => void
  onClose: () => void
}

/** The dialog to make a prefix public, or to change what the public may do below it. */
export function AccessRuleModal({ bucket, rule, isNew, rules, onRefused, onSaved, onClose }: AccessRuleModalProps) {
  const t = useT()
  const needed = requiredRule(t)
  const form = useForm<AccessRuleInput & Record<string, unknown>>({
    initialValues: { ...rule },
    validate: (values) => {
      const { error } = accessRuleCalls.setAccessRule.body.shape.prefix.safeParse(values.prefix)
      const [issue] = error?.issues ?? []
      return { prefix: (isNew && needed(values.prefix)) || (issue && reasonText(issueReason(issue))) || null }
    },
    validateInputOnBlur: ['prefix'],
  })
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<ApiFailure | null>(null)
  const base = useEditBase(rules, { error }, 'listAccessRules')
  /** The access that the prefix had when the dialog showed it; null without a rule. */
  const findAccess = (prefix: string, list: readonly AccessRuleItem[]) =>
    list.find((one) => one.prefix === prefix)?.access ?? null
  const save = async ({ prefix, access }: AccessRuleInput) => {
    setPending(true)
    try {
      await change(
        'setAccessRule',
        { params: { bucket }, body: { prefix, access, before: isNew ? null : findAccess(prefix, base.before) } },
        { message: () => (isNew ? t('Access rule added') : t('Access rule updated')) },
      )
      onSaved()
    } catch (failure) {
      setPending(false)
      // The specification closes the dialog after an error. Here it stays open, because it has to show both rules.
      if (isEditConflict(failure)) return setError(asFailure(failure))
      toast.failure(failure)
      onRefused({ prefix, access })
    }
    onClose()
  }
  const changedTo = base.changedTo && findAccess(form.values.prefix, base.changedTo)
  return (
    <FormModal
      title={isNew ? t('Add Access Rule') : t('Edit Access Rule')}
      subject={bucket}
      form={form}
      change={{ isPending, error, reset: () => setError(null) }}
      onClose={onClose}
      ready={!isNew || form.values.prefix.trim() !== ''}
      onSubmit={(values) => void save(values)}
    >
      {changedTo !== undefined && <ConflictNotice text={changedTo === null ? '' : t(ruleAccessText(changedTo))} />}
      {isNew ? (
        <TextField
          label={t('Prefix')}
          hint={t('Objects whose names begin with this, such as public/')}
          maxLength={1024}
          data-autofocus
          {...form.getInputProps('prefix')}
        />
      ) : (
        <TextField
          label={t('Prefix')}
          disabled
          value={rule.prefix === '' ? t('(whole bucket)') : rule.prefix}
          readOnly
        />
      )}
      <ChoiceField<EditableRuleAccess>
        label={t('Access')}
        choices={(['readonly', 'writeonly', 'readwrite'] as const).map((value) => ({
          value,
          label: t(ruleAccessLabels[value]),
          hint: t(ruleAccessHints[value]),
        }))}
        {...form.getInputProps('access')}
      />
    </FormModal>
  )
}
