import { useForm } from '@mantine/form'
import { accessRuleCalls } from '@stowage/contract/buckets/access-rules'
import { reasonOf } from '@stowage/contract/issues'
import { useState } from 'react'
import { change } from '../../lib/api/change.ts'
import { reasonText } from '../../lib/failure.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { required } from '../../lib/required.ts'
import { useT } from '../../lib/text/i18n.ts'
import { FormModal, noChange } from '../../ui/FormModal.tsx'
import { ChoiceField } from '../../ui/form/ChoiceField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { type RuleAccess, ruleHints, ruleWords, type TypedRule } from './access-rules.ts'

interface AccessRuleModalProps {
  bucket: string
  rule: TypedRule
  /** False to change the access of an existing rule. */
  isNew: boolean
  /** Called if the server rejected the rule; the dialog closes, as the specification requires. */
  onRefused: (typed: TypedRule) => void
  onSaved: () => void
  onClose: () => void
}

/** The dialog to make a prefix public, or to change what the public may do below it. */
export function AccessRuleModal({ bucket, rule, isNew, onRefused, onSaved, onClose }: AccessRuleModalProps) {
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
  const save = async ({ prefix, access }: TypedRule) => {
    setPending(true)
    try {
      await change(
        'setAccessRule',
        { params: { bucket }, body: { prefix, access } },
        { message: () => (isNew ? t('Access rule added') : t('Access rule updated')) },
      )
      onSaved()
    } catch (error) {
      toast.failure(error)
      onRefused({ prefix, access })
    }
    onClose()
  }
  return (
    <FormModal
      title={isNew ? t('Add Access Rule') : t('Edit Access Rule')}
      subject={bucket}
      form={form}
      change={{ ...noChange, isPending }}
      onClose={onClose}
      ready={!isNew || form.values.prefix.trim() !== ''}
      onSubmit={(values) => void save(values)}
    >
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
