import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useChange } from '../../lib/changes/change.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { useT } from '../../lib/text/i18n.ts'
import { requiredText } from '../../lib/text/required-field.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { PartialErrors } from './PartialErrors.tsx'
import {
  newTargetValues,
  RemoteServerFields,
  remoteServerRules,
  TransferModeFields,
  targetBody,
  transferModeRules,
} from './remote-target-form.tsx'
import { defaultReplicationRule, ReplicationRuleFields, replicationRuleBody } from './replication-rule-form.tsx'

const initial = { ...newTargetValues, targetBucket: '', ...defaultReplicationRule }

/** The dialog to replicate a bucket: the other server, the bucket there, and what is replicated. */
export function AddReplicationRuleModal({ bucket, onClose }: { bucket: string; onClose: () => void }) {
  const t = useT()
  const [partialErrors, setPartialErrors] = useState<string[]>([])
  const form = useForm({
    initialValues: initial,
    validate: {
      ...remoteServerRules(t),
      ...transferModeRules(t),
      targetBucket: (text) => (text.trim() === '' ? requiredText(t) : null),
    },
    validateInputOnBlur: true,
  })
  const save = useChange('setReplication', {
    onDone: ({ replicationState }) => {
      const errors = replicationState.flatMap(({ errorString }) => errorString ?? [])
      if (replicationState.length === 0) setPartialErrors([t('No changes applied')])
      else if (errors.length > 0) setPartialErrors(errors)
      else {
        onClose()
        toast.ok(t('{{bucket}} is replicated', { bucket }))
      }
    },
  })
  return (
    <FormModal
      title={t('Add Replication Rule')}
      subject={bucket}
      form={form}
      change={save}
      fields={{ healthCheckPeriod: 'healthCheck', 'bucketsRelation.0.destinationBucket': 'targetBucket' }}
      onClose={onClose}
      onSubmit={(values) => {
        setPartialErrors([])
        save.run({
          body: {
            ...targetBody(values),
            ...replicationRuleBody(values),
            bucketsRelation: [{ originBucket: bucket, destinationBucket: values.targetBucket.trim() }],
            create_only: true,
          },
        })
      }}
    >
      <RemoteServerFields form={form} />
      <TextField label={t('Target Bucket')} {...form.getInputProps('targetBucket')} />
      <TransferModeFields form={form} />
      <ReplicationRuleFields form={form} />
      <PartialErrors texts={partialErrors} />
    </FormModal>
  )
}
