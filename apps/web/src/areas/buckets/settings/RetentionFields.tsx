import type { GetInputPropsReturnType } from '@mantine/form'
import type { Retention } from '@stowage/contract'
import { type Message, msg, plural, type Translate, useT } from '../../../lib/text/i18n.ts'
import { requiredText } from '../../../lib/text/required-field.ts'
import { NumberField, type NumberInput } from '../../../ui/form/NumberField.tsx'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import css from '../styles/buckets.module.css'

/** A default retention while it is edited. */
export type RetentionValues = Omit<Retention, 'validity'> & { validity: NumberInput }

export const initialRetention: Retention = { mode: 'compliance', unit: 'days', validity: 1 }

/** Reports whether a retention can be saved. */
export const isCompleteRetention = (values: RetentionValues): values is Retention =>
  Number.isInteger(values.validity) && Number(values.validity) >= 1

const retentionModeHints: Record<Retention['mode'], Message> = {
  governance: msg('Users with s3:BypassGovernanceRetention can delete a locked version or change its retention.'),
  compliance: msg('Nobody can delete a locked version or shorten its retention, not even root.'),
}

/** Returns the period of a default retention: `Validity: 3 days`. */
export const validityText = ({ unit, validity }: Omit<Retention, 'mode'>, t: Translate) =>
  unit === 'days'
    ? t(plural('Validity: {{count}} day', 'Validity: {{count}} days'), { count: validity })
    : t(plural('Validity: {{count}} year', 'Validity: {{count}} years'), { count: validity })

interface RetentionFieldsProps {
  values: RetentionValues
  /** `form.getInputProps`. */
  bind: (field: keyof RetentionValues) => GetInputPropsReturnType
  disabled?: boolean
}

/** The fields for mode and period of a default retention. */
export function RetentionFields({ values, bind, disabled = false }: RetentionFieldsProps) {
  const t = useT()
  const validity = bind('validity')
  const problem =
    values.validity === ''
      ? requiredText(t)
      : isCompleteRetention(values)
        ? undefined
        : t('The value must be at least 1')
  return (
    <>
      <SegmentField
        label={t('Mode')}
        hint={t(retentionModeHints[values.mode])}
        disabled={disabled}
        data={[
          { value: 'compliance', label: t('Compliance') },
          { value: 'governance', label: t('Governance') },
        ]}
        {...bind('mode')}
      />
      <div className={css.period}>
        <NumberField
          label={t('Validity')}
          min={1}
          disabled={disabled}
          {...validity}
          error={disabled ? validity.error : (problem ?? validity.error)}
        />
        <SegmentField
          label={t('Unit')}
          disabled={disabled}
          data={[
            { value: 'days', label: t('Days') },
            { value: 'years', label: t('Years') },
          ]}
          {...bind('unit')}
        />
      </div>
    </>
  )
}
