import { NativeSelect } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FieldHint } from '../../../ui/form/FieldHint.tsx'
import type { BoundFieldProps } from '../../../ui/form/types.ts'

const tierNames = ({ items }: Output<'listTiers'>) =>
  items.map((tier) => (tier.type === 'unsupported' ? tier.name : tier[tier.type]?.name) ?? '').filter(Boolean)

/** A select for a tier, by default the first one. If the list cannot be read, it is empty. */
export function TierField({
  label,
  value = '',
  onChange,
  error,
  ...rest
}: BoundFieldProps<string> & { label: string }) {
  const t = useT()
  const id = useId()
  const { data: names = [], isSuccess } = useQuery({ ...q('listTiers', {}), select: tierNames })
  const choices = value === '' || names.includes(value) ? names : [value, ...names]
  const [first] = names
  useEffect(() => {
    if (value === '' && first !== undefined) onChange?.(first)
  }, [value, first, onChange])
  return (
    <div>
      <NativeSelect
        label={label}
        value={value}
        data={choices.length === 0 ? [{ value: '', label: '–' }] : choices}
        disabled={choices.length === 0}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        error={Boolean(error)}
        aria-describedby={id}
        {...rest}
      />
      <FieldHint
        id={id}
        hint={choices.length === 0 && isSuccess && t('There are no tiers yet. Add one in the settings.')}
        error={error}
      />
    </div>
  )
}
