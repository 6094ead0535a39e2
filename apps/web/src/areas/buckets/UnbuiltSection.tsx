import { useLocation } from '@tanstack/react-router'
import { useT } from '../../lib/text/i18n.ts'
import { bucketSections } from '../../paths.ts'
import { EmptyState } from '../../ui/states.tsx'
import { sectionNames } from './BucketNav.tsx'

/** A section of the specification that this release does not have: it says so, and how to do it meanwhile. */
export function Component() {
  const t = useT()
  const current = useLocation({ select: ({ pathname }) => pathname.split('/').at(-1) })
  const section = bucketSections.find((one) => one === current) ?? 'summary'
  return (
    <EmptyState title={t('{{section}} is not available yet', { section: t(sectionNames[section]) })}>
      {t(
        'This release of Stowage does not have this page yet. Existing settings of the bucket are kept and stay in effect.',
      )}
    </EmptyState>
  )
}
