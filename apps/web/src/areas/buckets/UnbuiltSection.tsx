import { useShownPages } from '../../lib/navigation/trail.ts'
import { useT } from '../../lib/text/i18n.ts'
import { EmptyState } from '../../ui/states.tsx'

/** A section of the specification that this release does not have: it says so, and how to do it meanwhile. */
export function UnbuiltSection() {
  const t = useT()
  const section = useShownPages().at(-1)
  return (
    <EmptyState
      title={t('{{section}} is not available yet', { section: section?.page.label ? t(section.page.label) : '' })}
    >
      {t(
        'This release of Stowage does not have this page yet. Existing settings of the bucket are kept and stay in effect.',
      )}
    </EmptyState>
  )
}
