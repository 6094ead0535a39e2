import { useLocation } from '@tanstack/react-router'
import { type Message, msg, useT } from '../../lib/text/i18n.ts'
import { type BucketSection, bucketSections, paths } from '../../paths.ts'
import { Link } from '../../ui/Link.tsx'
import css from './buckets.module.css'

/** The names of a bucket's sections. */
export const sectionNames: Record<BucketSection, Message> = {
  summary: msg('Summary'),
  events: msg('Events'),
  replication: msg('Replication'),
  lifecycle: msg('Lifecycle'),
  access: msg('Access Audit'),
  prefix: msg('Access Rules'),
}

export function BucketNav({ bucket }: { bucket: string }) {
  const t = useT()
  const current = useLocation({ select: ({ pathname }) => pathname.split('/').at(-1) })
  return (
    <nav className={css.subnav} aria-label={t('Bucket')}>
      {bucketSections.map((section) => (
        <Link key={section} to={paths.bucket(bucket, section)} aria-current={section === current ? 'page' : undefined}>
          {t(sectionNames[section])}
        </Link>
      ))}
    </nav>
  )
}
