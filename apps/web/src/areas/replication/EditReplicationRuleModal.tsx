import { useForm } from '@mantine/form'
import type { ReplicationRule, ReplicationTarget } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { changedFields } from '../../lib/changes/changed-fields.ts'
import { useT } from '../../lib/text/i18n.ts'
import { useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { ConflictNotice, useEditBase } from '../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { defaultTransferMode, TransferModeFields, transferModeBody, transferModeRules } from './remote-target-form.tsx'
import { ReplicationRuleFields, type ReplicationRuleValues, replicationRuleBody } from './replication-rule-form.tsx'
import { destinationBucket } from './replication-rule-texts.ts'

interface EditReplicationRuleModalProps {
  bucket: string
  rule: ReplicationRule
  onClose: () => void
}

/** The dialog to edit a rule and, if the user may, the transfer settings of its target. */
export function EditReplicationRuleModal({ bucket, rule, onClose }: EditReplicationRuleModalProps) {
  const { data } = useQuery(q('listReplicationTargets', { params: { bucket } }))
  const needs = useDisabledReason({ bucket })
  const target = data?.targets.find(({ arn }) => arn === rule.target_arn)
  const mayTarget = needs('admin:SetBucketTarget') === false
  return (
    // A new key resets the form to the target's values once they are loaded.
    <RuleForm key={target?.arn} bucket={bucket} rule={rule} target={mayTarget ? target : undefined} onClose={onClose} />
  )
}

const ruleBody = (values: ReplicationRuleValues & { enabled: boolean; priority: string; existing: boolean }) => ({
  ruleState: values.enabled,
  priority: Number(values.priority),
  ...replicationRuleBody(values),
  replicateExistingObjects: values.existing,
})

function RuleForm({
  bucket,
  rule,
  target,
  onClose,
}: EditReplicationRuleModalProps & { target: ReplicationTarget | undefined }) {
  const t = useT()
  // The values that the form was opened with, even if the rule is read again.
  const [initial] = useState({
    enabled: rule.status === 'Enabled',
    priority: String(rule.priority),
    prefix: rule.prefix,
    tags: rule.tags,
    deleteMarkers: rule.delete_marker_replication,
    deletes: rule.deletes_replication,
    metadata: rule.metadata_replication,
    existing: rule.existing_objects_replication,
    syncMode: target?.sync_mode ?? defaultTransferMode.syncMode,
    // A synchronous target has none.
    bandwidth: target?.sync_mode === 'async' ? target.bandwidth : defaultTransferMode.bandwidth,
    healthCheck: String(target?.health_check_period || defaultTransferMode.healthCheck),
  })
  const form = useForm({
    initialValues: initial,
    validate: {
      ...transferModeRules(t),
      priority: (text) => (/^\d{1,9}$/.test(text.trim()) ? null : t('Enter a whole number')),
    },
    validateInputOnBlur: true,
  })
  const save = useChange('updateReplicationRule', {
    onDone: onClose,
    message: () => t('Replication rule of {{bucket}} updated', { bucket }),
  })
  const { before, changedTo } = useEditBase(rule, save, 'listReplicationRules')
  const isTouched = form.isDirty('syncMode') || form.isDirty('bandwidth') || form.isDirty('healthCheck')
  return (
    <FormModal
      title={t('Edit Replication Rule')}
      subject={destinationBucket(rule)}
      form={form}
      change={save}
      fields={{ healthCheckPeriod: 'healthCheck', replicateDeleteMarkers: 'deleteMarkers' }}
      onClose={onClose}
      onSubmit={(values) =>
        save.run({
          params: { bucket, ruleId: rule.id },
          body: {
            ...changedFields(ruleBody(values), ruleBody(initial)),
            ...(target && isTouched ? transferModeBody(values) : {}),
            before: { ...before },
          },
        })
      }
    >
      {changedTo && <ConflictNotice text={JSON.stringify(changedTo, null, 2)} />}
      <SwitchField label={t('Enabled')} data-autofocus {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <TextField
        label={t('Priority')}
        hint={t('If several rules with the same target include an object, the one with the highest number applies.')}
        inputMode="numeric"
        {...form.getInputProps('priority')}
      />
      <ReplicationRuleFields form={form} />
      <SwitchField
        label={t('Existing Objects')}
        hint={t('A resync sends objects from before the rule as well.')}
        {...form.getInputProps('existing', { type: 'checkbox' })}
      />
      {target && <TransferModeFields form={form} />}
    </FormModal>
  )
}
