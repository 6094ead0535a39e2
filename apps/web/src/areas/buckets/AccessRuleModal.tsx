import { useForm } from '@mantine/form'
import { accessRuleCalls } from '@stowage/contract/buckets/access-rules'
import { reasonOf } from '@stowage/contract/issues'
import { useState } from 'react'
import { change } from '../../lib/api/change.ts'
import { type ApiFailure, asFailure, reasonText } from '../../lib/failure.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { required } from '../../lib/required.ts'
import { useT } from '../../lib/text/i18n.ts'
import { FormModal } from '../../ui/FormModal.tsx'
import { ChoiceField } from '../../ui/form/ChoiceField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { accessWord, type Rule, type RuleAccess, ruleHints, ruleWords, type TypedRule } from './access-rules.ts'
import { ChangedMeanwhile, isChangedMeanwhile, useBase } from './summary/ChangedMeanwhile.tsx'

interface AccessRuleModalProps {
  bucket: string
  rule: TypedRule
  /** False to change the access of an existing rule. */
  isNew: boolean
  /** The rules that the list shows. */
  rules: readonly Rule[]
  /** Called if the server rejected the rule; the dialog closes, as the specification requires. */
  onRefused: (typed: TypedRule) => void
  onSaved: () => void
  onClose: () => void
}

/** The dialog to make a prefix public, or to change what the public may do below it. */
export function AccessRuleModal({ bucket, rule, isNew, rules, onRefused, onSaved, onClose }: AccessRuleModalProps) {
  const t = useT()
  const needed = required(t)
  const form = useForm<TypedRule & Record<string, unknown>>({
    initialValues: { ...rule },
    validate: (values) => {
      const { error } = accessRuleCalls.setAccessRule.body.shape.prefix.safeParse(values.prefix)
      const [issue] = error?.issues ?? []
      return { prefix: (isNew && needed(values.prefix)) || (issue && reasonText(reasonOf(issue))) || null }
    },
    validateInputOnBlur: ['prefix'],
  })
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<ApiFailure | null>(null)
  const base = useBase(rules, { error }, 'listAccessRules')
  /** The access that the prefix had when the dialog showed it; null without a rule. */
  const accessOf = (prefix: string, list: readonly Rule[]) => list.find((one) => one.prefix === prefix)?.access ?? null
  const save = async ({ prefix, access }: TypedRule) => {
    setPending(true)
    try {
      await change(
        'setAccessRule',
        { params: { bucket }, body: { prefix, access, before: accessOf(prefix, base.before) } },
        { message: () => (isNew ? t('Access rule added') : t('Access rule updated')) },
      )
      onSaved()
    } catch (failure) {
      setPending(false)
      // The specification closes the dialog after an error. Here it stays open, because it has to show both rules.
      if (isChangedMeanwhile(failure)) return setError(asFailure(failure))
      toast.failure(failure)
      onRefused({ prefix, access })
    }
    onClose()
  }
  const changedTo = base.changedTo && accessOf(form.values.prefix, base.changedTo)
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
      {changedTo !== undefined && <ChangedMeanwhile text={changedTo === null ? '' : t(accessWord(changedTo))} />}
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
      <ChoiceField<RuleAccess>
        label={t('Access')}
        choices={(['readonly', 'writeonly', 'readwrite'] as const).map((value) => ({
          value,
          label: t(ruleWords[value]),
          hint: t(ruleHints[value]),
        }))}
        {...form.getInputProps('access')}
      />
    </FormModal>
  )
}
