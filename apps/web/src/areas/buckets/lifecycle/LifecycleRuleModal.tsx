import { useForm } from '@mantine/form'
import type { LifecycleRule } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { ConflictNotice, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { LIFECYCLE_RULE_FIELDS, LifecycleRuleFields } from './LifecycleRuleFields.tsx'
import {
  isLifecycleRuleReady,
  type LifecycleRuleValues,
  lifecycleRuleBody,
  lifecycleRuleChanges,
  lifecycleRuleValues,
  NEW_LIFECYCLE_RULE,
} from './lifecycle-rule-values.ts'
import { RuleSimulation } from './RuleSimulation.tsx'

interface LifecycleRuleModalProps {
  bucket: string
  /** The rule to edit; undefined for a new one. */
  rule?: LifecycleRule | undefined
  onClose: () => void
}

/** The dialog to add or edit a lifecycle rule. Shows its effect before it is saved. */
export function LifecycleRuleModal({ bucket, rule, onClose }: LifecycleRuleModalProps) {
  const t = useT()
  const [stored] = useState(() => rule && lifecycleRuleValues(rule))
  const form = useForm<LifecycleRuleValues>({ initialValues: stored ?? NEW_LIFECYCLE_RULE })
  const { values } = form
  const isVersioned = useQuery(q('getBucketVersioning', { params: { bucket } })).data?.is_versioned ?? false
  const add = useChange('addLifecycleRule', {
    onDone: onClose,
    message: () => t('Lifecycle rule added to {{bucket}}', { bucket }),
  })
  const edit = useChange('setLifecycleRule', {
    onDone: onClose,
    message: () => t('Lifecycle rule of {{bucket}} updated', { bucket }),
  })
  const { before, changedTo } = useEditBase(rule, edit, 'listLifecycleRules')
  const ready = isLifecycleRuleReady(values, stored)
  const save = (entered: LifecycleRuleValues) => {
    if (rule && stored) {
      const body = lifecycleRuleChanges(entered, stored)
      if (Object.keys(body).length === 0) return onClose()
      edit.run({ params: { bucket, id: rule.id }, body: { ...body, ...(before ? { before } : {}) } })
    } else add.run({ params: { bucket }, body: { ...lifecycleRuleBody(entered), create_only: true } })
  }
  return (
    <FormModal
      wide
      title={rule ? t('Edit Lifecycle Rule') : t('Add Lifecycle Rule')}
      subject={rule?.id ?? bucket}
      form={form}
      change={rule ? edit : add}
      fields={LIFECYCLE_RULE_FIELDS}
      onClose={onClose}
      ready={ready}
      onSubmit={save}
    >
      {rule && (
        <SwitchField
          label={t('Status')}
          hint={values.enabled ? t('Enabled') : t('Disabled')}
          data-autofocus
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
      )}
      {changedTo && <ConflictNotice text={JSON.stringify(changedTo, null, 2)} />}
      <LifecycleRuleFields form={form} isNew={!rule} isVersioned={isVersioned} />
      {ready && values.enabled && (
        <RuleSimulation
          bucket={bucket}
          body={rule && stored ? { ...lifecycleRuleChanges(values, stored), id: rule.id } : lifecycleRuleBody(values)}
        />
      )}
    </FormModal>
  )
}
