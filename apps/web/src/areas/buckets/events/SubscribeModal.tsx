import { Checkbox, NativeSelect, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { asFailure } from '../../../lib/api/api-failure.ts'
import { q } from '../../../lib/api/query.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { type Message, msg, useT } from '../../../lib/text/i18n.ts'
import { MissingPermission } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'

type EventKind = 'put' | 'get' | 'delete'

const kinds: readonly { value: EventKind; label: Message }[] = [
  { value: 'put', label: msg('Put: an object was written') },
  { value: 'get', label: msg('Get: an object was read') },
  { value: 'delete', label: msg('Delete: an object was deleted') },
]

interface Values extends Record<string, unknown> {
  arn: string
  events: EventKind[]
  prefix: string
  suffix: string
}

/** The dialog to send events of a bucket to a notification target. */
export function SubscribeModal({ bucket, onClose }: { bucket: string; onClose: () => void }) {
  const t = useT()
  const { data, error } = useQuery(q('listArns', {}))
  const arns = data?.arns ?? []
  const form = useForm<Values>({ initialValues: { arn: '', events: [], prefix: '', suffix: '' } })
  const { arn } = form.values
  const save = useChange('createBucketEvent', {
    onDone: onClose,
    message: () => t('Subscription of {{bucket}} created', { bucket }),
  })
  return (
    <FormModal
      title={t('Subscribe to Bucket Events')}
      subject={bucket}
      form={form}
      change={save}
      fields={{
        'configuration.arn': 'arn',
        'configuration.prefix': 'prefix',
        'configuration.suffix': 'suffix',
      }}
      onClose={onClose}
      ready={arn !== ''}
      onSubmit={(configuration) => save.run({ params: { bucket }, body: { configuration, ignoreExisting: true } })}
    >
      {data && arns.length === 0 && (
        <Banner kind="info">
          {t('The server has no notification target.')}{' '}
          <Link to="/settings/notifications" className="link">
            {t('Add Notification Target')}
          </Link>
        </Banner>
      )}
      {error && (
        <Banner kind="warn">
          {asFailure(error).status === 403 ? (
            <MissingPermission action="admin:ServerInfo" />
          ) : (
            asFailure(error).errorMessage
          )}
        </Banner>
      )}
      <NativeSelect
        label={t('ARN')}
        data={[{ value: '', label: t('Choose a target'), disabled: true }, ...arns]}
        data-autofocus
        {...form.getInputProps('arn')}
      />
      <Checkbox.Group
        label={t('Events')}
        description={t('If you select none, all three are sent.')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('events')}
      >
        <Stack gap={8} my={6}>
          {kinds.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={t(label)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextField
        label={t('Prefix')}
        maxLength={1024}
        hint={t('Only objects whose names begin with this')}
        {...form.getInputProps('prefix')}
      />
      <TextField
        label={t('Suffix')}
        maxLength={1024}
        hint={t('Only objects whose names end with this')}
        {...form.getInputProps('suffix')}
      />
    </FormModal>
  )
}
