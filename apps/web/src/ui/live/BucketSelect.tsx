import { type ComboboxItem, Select, type SelectProps } from '@mantine/core'
import { plural, useT } from '../../lib/text/i18n.ts'
import { ALL_BUCKETS } from './one-or-all.ts'

/** Options that are drawn at once. */
const MAX_SHOWN = 200

interface BucketSelectProps extends Pick<SelectProps, 'w' | 'disabled'> {
  label: string
  buckets: readonly string[]
  /** A bucket's name or `ALL_BUCKETS`; null before one is chosen. */
  value: string | null
  onChange: (bucket: string | null) => void
}

/** One bucket of many, or all of them. Of a long list the first ones are drawn, and a line says how to find the others. */
export function BucketSelect({ label, buckets, ...rest }: BucketSelectProps) {
  const t = useT()
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={[{ value: ALL_BUCKETS, label: t('All buckets') }, ...buckets]}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('No bucket has such a name')}
      filter={({ options, search }) => {
        // The data has no groups.
        const wanted = search.trim().toLowerCase()
        const found = (options as ComboboxItem[]).filter((option) => option.label.toLowerCase().includes(wanted))
        const count = found.length - MAX_SHOWN
        if (count <= 0) return found
        const more = t(plural('{{count}} more. Type to find it.', '{{count}} more. Type to find others.'), { count })
        return [...found.slice(0, MAX_SHOWN), { value: '', label: more, disabled: true }]
      }}
      {...rest}
    />
  )
}
