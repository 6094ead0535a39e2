import { useForm } from '@mantine/form'
import type { LifecycleRule } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../../lib/api/change.ts'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FormModal } from '../../../ui/FormModal.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { RULE_FIELDS, RuleFields } from './RuleFields.tsx'
import { bodyOf, changesOf, isReady, NEW_RULE, type RuleValues, valuesOf } from './rule-values.ts'
import { Simulation } from './Simulation.tsx'

interface RuleModalProps {
  bucket: string
  /** The rule to edit; undefined for a new one. */
  rule?: LifecycleRule | undefined
  onClose: () => void
}

/** The dialog to add or edit a lifecycle rule. Shows its effect before it is saved. */
export function RuleModal({ bucket, rule, onClose }: RuleModalProps) {
  const t = useT()
  const [stored] = useState(() => rule && valuesOf(rule))
  const form = useForm<RuleValues>({ initialValues: stored ?? NEW_RULE })
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
  const ready = isReady(values, stored)
  const save = (entered: RuleValues) => {
    if (rule && stored) edit.run({ params: { bucket, id: rule.id }, body: changesOf(entered, stored) })
    else add.run({ params: { bucket }, body: bodyOf(entered) })
  }
  return (
    <FormModal
      wide
      title={rule ? t('Edit Lifecycle Rule') : t('Add Lifecycle Rule')}
      subject={rule?.id ?? bucket}
      form={form}
      change={rule ? edit : add}
      fields={RULE_FIELDS}
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
      <RuleFields form={form} isNew={!rule} isVersioned={isVersioned} />
      {ready && values.enabled && (
        <Simulation
          bucket={bucket}
          body={rule && stored ? { ...changesOf(values, stored), id: rule.id } : bodyOf(values)}
        />
      )}
    </FormModal>
  )
}
