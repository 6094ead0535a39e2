import { Button } from '@mantine/core'
import type { ShareLink } from '@stowage/contract'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { FormError } from '../../../ui/dialog/FormModal.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import css from './links.module.css'

interface LinkListProps {
  bucket: string
  links: readonly ShareLink[]
  /** Shows the object key or upload prefix of each link. */
  paths?: boolean
}

/** A list of created links, each with a Revoke button. Their URLs cannot be retrieved again. */
export function LinkList({ bucket, links, paths = false }: LinkListProps) {
  const t = useT()
  const revoke = useChange('deleteLink', { message: () => t('Link revoked') })
  return (
    <>
      <ul className={css.links} aria-label={t('Created links')}>
        {links.map(({ access_key: accessKey, path, expires, version_id: version, kind }) => (
          <li key={accessKey}>
            <div className={css.what}>
              {paths && (
                <code className={css.path} title={path}>
                  <ObjectName name={`${bucket}/${path}`} />
                </code>
              )}
              <div className={css.note}>
                {kind === 'upload' ? (
                  t('Upload link')
                ) : version === undefined ? (
                  t('Latest version')
                ) : (
                  <Trans text="Version <id/>" parts={{ id: <code>{version}</code> }} />
                )}
                {expires !== undefined && (
                  <>
                    {', '}
                    <Trans text="until <time/>" parts={{ time: <Time at={expires} exact /> }} />
                  </>
                )}
              </div>
            </div>
            <Button
              size="xs"
              variant="danger"
              aria-label={t('Revoke the link {{name}}', { name: accessKey })}
              {...whileBusy(revoke.isPending)}
              onClick={() => revoke.run({ params: { bucket, accessKey } })}
            >
              {t('Revoke')}
            </Button>
          </li>
        ))}
      </ul>
      {revoke.error !== null && <FormError error={revoke.error} />}
    </>
  )
}
