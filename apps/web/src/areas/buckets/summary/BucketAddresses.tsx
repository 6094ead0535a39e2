import { useSession } from '../../../lib/session/session.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { shellWord } from '../../../lib/text/shell.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import css from '../styles/buckets.module.css'

/** Names and URLs of the bucket for other tools. */
export function BucketAddresses({ bucket }: { bucket: string }) {
  const t = useT()
  const { endpoint } = useSession()
  const rows = [
    ...(endpoint === undefined ? [] : [{ label: t('Endpoint'), text: `${endpoint}/${bucket}` }]),
    { label: t('ARN'), text: `arn:aws:s3:::${bucket}` },
    { label: t('Client'), text: `mc ls ${shellWord(`myserver/${bucket}`)}` },
  ]
  return (
    <dl className={css.addresses}>
      {rows.map(({ label, text }) => (
        <div key={label} className={css.address}>
          <dt>{label}</dt>
          <dd className={css.copy}>
            <code className="truncate">{text}</code>
            <CopyButton text={text} name={label} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
