import { Button } from '@mantine/core'
import type { PermissionReport } from '@stowage/contract'
import { IconCheck, IconCopy, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ApiFailure } from '../../lib/api/api-failure.ts'
import { useCopy } from '../../lib/clipboard.ts'
import { type ConsoleAction, type PermissionScope, usePermissionReport } from '../../lib/data/permissions.ts'
import { pathToFolder } from '../../lib/navigation/object-address.ts'
import { pathToExplanation } from '../../lib/session/access-explanation.ts'
import { useSession } from '../../lib/session/session.ts'
import { formatDateTime } from '../../lib/text/format.ts'
import { type Translate, useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { plainName } from '../../lib/text/visible-name.ts'
import { Link } from '../controls/Link.tsx'
import { Icon } from '../icons/Icon.tsx'
import { ObjectName } from '../values/ObjectName.tsx'
import { Time } from '../values/Time.tsx'
import css from './AccessDenied.module.css'
import { DecisionExplanation } from './DecisionExplanation.tsx'

/** The action and resource of a request, as named in IAM policies. */
export interface RequiredPermission extends PermissionScope {
  action: ConsoleAction
}

interface AccessDeniedProps {
  failure: ApiFailure
  needs: RequiredPermission
  /** Buttons that lead out of this state. */
  actions: ReactNode
}

/** Shown in place of denied content: the action, the resource, and how the caller's policies decide. */
export function AccessDenied({ failure, needs, actions }: AccessDeniedProps) {
  const t = useT()
  const { user = '', operator } = useSession()
  const why = usePermissionReport(needs.action, needs)
  const { bucket, prefix = '' } = needs
  return (
    <div className={css.denied}>
      <div className={css.void} role="alert">
        <h2 className={css.title}>
          <Icon of={IconLock} /> {t('Access Denied')}
        </h2>
        {why && (
          <p className="ink-2">
            <DenialSentence why={why} user={user} />
          </p>
        )}
        <dl className={css.facts}>
          <dt>{t('Missing action')}</dt>
          <dd>
            <code className="strong">{needs.action}</code>
          </dd>
          {bucket !== undefined && (
            <>
              <dt>{t('Resource')}</dt>
              <dd>
                <code>{bucketArn(bucket)}</code>
              </dd>
            </>
          )}
          {prefix !== '' && (
            <>
              <dt>{t('Prefix')}</dt>
              <dd>
                <code>
                  <ObjectName name={prefix} />
                </code>
              </dd>
            </>
          )}
          {failure.requestId !== undefined && (
            <>
              <dt>{t('Request ID')}</dt>
              <dd>
                <code>{failure.requestId}</code>{' '}
                <span className={css.at}>
                  <Time at={failure.at} exact />
                </span>
              </dd>
            </>
          )}
        </dl>
        <div className={css.actions}>
          <CopyRequestButton text={accessRequestText(t, needs, failure, user)} />
          {!operator && (
            <Button component={Link} to={pathToExplanation(needs)}>
              {t('Open in Can they?')}
            </Button>
          )}
          {actions}
        </div>
      </div>
      <OtherFolders needs={needs} />
      {why && why.decision !== 'allow' && <DecisionExplanation why={why} />}
    </div>
  )
}

const MAX_OFFERED_FOLDERS = 10

/** Folders that the caller may list instead: those of the bucket, or of all buckets if the request was not about one. */
function OtherFolders({ needs: { action, bucket, prefix = '' } }: { needs: RequiredPermission }) {
  const t = useT()
  const { places = [] } = useSession()
  if (action !== 's3:ListBucket') return null
  const others = places
    .filter((place) => place.list && (bucket === undefined || place.bucket === bucket) && place.prefix !== prefix)
    .slice(0, MAX_OFFERED_FOLDERS)
  if (others.length === 0) return null
  return (
    <section className={css.places} aria-label={t('Folders that you may list')}>
      <h2 className="strong">{t('Folders that you may list')}</h2>
      <ul>
        {others.map((place) => (
          <li key={`${place.bucket}/${place.prefix}`}>
            <Link to={pathToFolder(place.bucket, place.prefix)} className="link">
              <ObjectName name={`${place.bucket}/${place.prefix}`} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** States what the server denied and why. */
function DenialSentence({ why: { decision, reason }, user }: { why: PermissionReport; user: string }) {
  const parts = { user: <b>{user}</b> }
  if (decision === 'deny' && reason === 'statement')
    return <Trans text="This needs an action that a policy of <user/> denies." parts={parts} />
  if (decision === 'deny') return <Trans text="This needs an action that no policy of <user/> allows." parts={parts} />
  if (decision === 'conditional')
    return (
      <Trans text="This needs an action that the policies of <user/> allow under a condition only." parts={parts} />
    )
  return <Trans text="The server refused this, although the policies of <user/> seem to allow it." parts={parts} />
}

const bucketArn = (bucket: string) => `arn:aws:s3:::${bucket}`

/** Returns the text to send to an administrator, for pasting into an email. */
function accessRequestText(
  t: Translate,
  { action, bucket, prefix = '' }: RequiredPermission,
  { requestId, at }: ApiFailure,
  user: string,
) {
  const lines = [
    [t('User'), user],
    [t('Missing action'), action],
    [t('Resource'), bucket === undefined ? '' : bucketArn(bucket)],
    [t('Prefix'), plainName(prefix)],
    [t('Request ID'), requestId ?? ''],
    [t('Time'), formatDateTime(at)],
  ] as const
  const requestLines = lines.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)
  return [t('Access Denied'), ...requestLines].join('\n')
}

function CopyRequestButton({ text }: { text: string }) {
  const t = useT()
  const clipboard = useCopy()
  return (
    <Button
      variant="filled"
      leftSection={<Icon of={clipboard.copied ? IconCheck : IconCopy} />}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.failed
        ? t('Copying is not allowed here')
        : clipboard.copied
          ? t('Copied')
          : t('Copy request for an administrator')}
    </Button>
  )
}
