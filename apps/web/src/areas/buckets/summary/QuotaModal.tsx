import { schemaResolver, useForm } from '@mantine/form'
import { type Output, type Quota, TiB } from '@stowage/contract'
import { quotaCalls } from '@stowage/contract/buckets/quota'
import { useChange } from '../../../lib/changes/change.ts'
import { formatBytes, formatPercent, formatSize } from '../../../lib/text/format.ts'
import { type Translate, useT } from '../../../lib/text/i18n.ts'
import { isValidSize } from '../../../lib/text/size.ts'
import { ConflictNotice, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { ChangePreview, FormModal } from '../../../ui/dialog/FormModal.tsx'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { SizeInput } from '../../../ui/form/SizeInput.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { Gauge } from '../../../ui/values/Gauge.tsx'
import { quotaTypeHints, useQuotaTypes } from '../settings/quota-types.ts'
import css from '../styles/buckets.module.css'

interface QuotaModalProps {
  bucket: string
  /** The current size of the bucket (bytes). */
  used: number
  quota: Output<'getBucketQuota'>
  onClose: () => void
}

const validBody = schemaResolver(quotaCalls.setBucketQuota.body, { sync: true })

/** If the quota is disabled, the size in the field is ignored. */
const quotaBody = (values: { enabled: boolean; quota_type: Quota['type']; amount: number }) =>
  values.enabled ? values : { ...values, amount: 0 }

/** The dialog to set or remove the quota of a bucket. Shows the effect before it is saved. */
export function QuotaModal({ bucket, used, quota, onClose }: QuotaModalProps) {
  const t = useT()
  const size = quota.quota ?? 0
  const form = useForm({
    initialValues: { enabled: size > 0, quota_type: quota.type ?? ('hard' as const), amount: size || TiB },
    validate: (values) => validBody(quotaBody(values)),
  })
  const { enabled, quota_type, amount } = form.values
  const types = useQuotaTypes(quota.type ?? 'hard')
  const save = useChange('setBucketQuota', {
    onDone: onClose,
    message: (_, { body }) =>
      body.enabled ? t('Quota of {{bucket}} updated', { bucket }) : t('Quota of {{bucket}} removed', { bucket }),
  })
  const { before, changedTo } = useEditBase(quota, save, 'getBucketQuota')
  return (
    <FormModal
      title={t('Bucket Quota')}
      subject={bucket}
      form={form}
      change={save}
      onClose={onClose}
      ready={!enabled || isValidSize(amount)}
      stored={enabled ? isValidSize(amount) && formatBytes(amount) : t('No limit')}
      onSubmit={(values) => save.run({ params: { bucket }, body: { ...quotaBody(values), before } })}
    >
      {changedTo && <ConflictNotice text={quotaText(changedTo, t)} />}
      <SwitchField
        label={t('Enabled')}
        hint={t('Turning it off removes the limit. Nothing is deleted.')}
        data-autofocus
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <SegmentField
        label={t('Quota Type')}
        hint={t(quotaTypeHints[quota_type])}
        data={types}
        disabled={!enabled}
        {...form.getInputProps('quota_type')}
      />
      <SizeInput label={t('Size')} disabled={!enabled} {...form.getInputProps('amount')} />
      {enabled && isValidSize(amount) && <QuotaEffect type={quota_type} used={used} before={size} after={amount} />}
    </FormModal>
  )
}

function quotaText({ quota = 0, type }: Output<'getBucketQuota'>, t: Translate): string {
  if (quota === 0) return t('No limit')
  return type === 'fifo' ? `${formatBytes(quota)}, FIFO` : formatBytes(quota)
}

interface QuotaEffectProps {
  type: Quota['type']
  used: number
  before: number
  after: number
}

/** Shows the change of the used share before it is saved: `93% → 70%`. */
function QuotaEffect({ type, used, before, after }: QuotaEffectProps) {
  const t = useT()
  return (
    <ChangePreview>
      <div className={css.ends}>
        <span>{t('{{size}} used', { size: formatSize(used) })}</span>
        <span>
          {before > 0 && before !== after && <span className="ink-3">{formatPercent(used / before)} → </span>}
          <span className="strong">{formatPercent(used / after)}</span>
        </span>
      </div>
      <div className={css.effectBar}>
        <Gauge share={used / after} thick />
      </div>
      {used >= after && (
        <p className={css.warning}>
          <StatusIcon state="warn">
            {type === 'fifo'
              ? t('The bucket already stores more than this: the oldest objects will be deleted')
              : t('The bucket already stores more than this: writes will be refused')}
          </StatusIcon>
        </p>
      )}
    </ChangePreview>
  )
}
