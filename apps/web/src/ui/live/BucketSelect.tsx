import { type ComboboxItem, Select, type SelectProps } from '@mantine/core'
import { plural, useT } from '../../lib/text/i18n.ts'
import { ALL_BUCKETS } from './bucket-or-all.ts'

/** The number of options that are rendered. */
const MAX_SHOWN = 200

interface BucketSelectProps extends Pick<SelectProps, 'w' | 'disabled'> {
  label: string
  buckets: readonly string[]
  /** A bucket name or `ALL_BUCKETS`; null if no bucket is selected. */
  value: string | null
  onChange: (bucket: string | null) => void
}

/**
 * A select for one bucket or all buckets. Of a long list it shows the first ones, and a line that says how to find the others.
 */
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
        // Mantine's type includes groups; these options have none.
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
