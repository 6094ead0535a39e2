import { Button, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { localDayField } from '../../../lib/text/date-fields.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { plainName } from '../../../lib/text/visible-name.ts'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import modal from '../../../ui/dialog/FormModal.module.css'
import { DialogTitle, FormError } from '../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import css from '../styles/object-detail.module.css'
import { LinkList } from './LinkList.tsx'
import { endOfDay, lastLinkDay, linkEndProblem, linkExpiry } from './link-times.ts'

interface ShareModalProps {
  bucket: string
  objectKey: string
  name: string
  /** The selected version; undefined if the bucket has no versioning. */
  versionId: string | undefined
  onClose: () => void
}

const WEEK_MS = 604_800_000
/** A link that ends at least this much earlier than requested is pointed out (ms). */
const EARLY_MS = 120_000

/** The dialog to create a link to an object: one signed by the session, or one that outlives the session and can be revoked. */
export function ShareModal({ bucket, objectKey, name, versionId, onClose }: ShareModalProps) {
  const t = useT()
  const [what, setWhat] = useState<'version' | 'latest'>('version')
  const [dated, setDated] = useState(true)
  const [day, setDay] = useState(() => lastLinkDay())
  const shared = what === 'version' ? versionId : undefined
  // The current time is read once per choice, so that the link is created again only if the choice changes.
  const [end, asked] = useMemo(() => {
    const now = Date.now()
    const chosen = dated ? endOfDay(day) : now + WEEK_MS
    return [chosen, chosen - now]
  }, [dated, day])
  const problem = linkEndProblem(end, end - asked)
  const ready = problem === undefined
  const params = { bucket }
  // In a bucket without versioning the version ID is "null".
  const version = versionId === undefined ? 'null' : shared
  const signed = useQuery({
    ...q('shareObject', {
      params,
      query: {
        prefix: objectKey,
        expires: `${Math.floor(asked)}ms`,
        ...(version === undefined ? {} : { version_id: version }),
      },
    }),
    enabled: ready,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const links = useQuery(q('listLinks', { params, query: { prefix: objectKey } }))
  const [created, setCreated] = useState<{ url: string; end: number; what: string } | undefined>(undefined)
  const create = useChange('createLink', {
    onDone: (link) => setCreated({ url: link.url, end, what }),
  })
  // A created link is valid only for the choices that it was created with.
  const lasting = created?.end === end && created.what === what ? created.url : undefined
  const url = ready ? (lasting ?? signed.data ?? '') : ''
  const until = linkExpiry(url)
  const early = until !== undefined && until < end - EARLY_MS
  const clipboard = useClipboard()
  const copy = () => {
    clipboard.copy(url)
    toast.ok(t('Share URL Copied to clipboard'))
  }
  return (
    <Dialog
      fields
      onClose={onClose}
      size={520}
      title={<DialogTitle title={t('Share File')} subject={plainName(name)} />}
    >
      <div className={modal.body}>
        {versionId !== undefined && (
          <SegmentField
            label={t('Content of the link')}
            data={[
              { value: 'version', label: t('This version') },
              { value: 'latest', label: t('Latest version') },
            ]}
            value={what}
            onChange={setWhat}
            hint={
              what === 'version'
                ? t('Later uploads do not change it.')
                : t('The link always gives the version that is the latest when it is opened.')
            }
          />
        )}
        <SwitchField
          label={t('Specific Date')}
          hint={dated ? undefined : t('The link ends 7 days from now.')}
          checked={dated}
          onChange={(event) => setDated(event.currentTarget.checked)}
        />
        {dated && (
          <TextField
            label={t('Active until')}
            type="date"
            value={day}
            min={localDayField(new Date())}
            max={lastLinkDay()}
            error={problem && t(problem)}
            hint={t('The link ends at the end of this day, local time, at most 7 days from now.')}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={t('Link')}
          classNames={{ input: 'mono' }}
          readOnly
          value={url}
          placeholder={ready && signed.error === null ? t('Loading…') : ''}
          onFocus={(event) => event.currentTarget.select()}
        />
        {signed.error !== null && <FormError error={signed.error} />}
        {create.error !== null && <FormError error={create.error} />}
        {early && (
          <Banner
            kind="warn"
            action={
              <Button
                size="xs"
                {...whileBusy(create.isPending)}
                onClick={() =>
                  create.run({
                    params,
                    body: {
                      path: objectKey,
                      expires: new Date(end).toISOString(),
                      ...(shared === undefined ? {} : { version_id: shared }),
                    },
                  })
                }
              >
                {t('Create link')}
              </Button>
            }
          >
            {created
              ? t('This link already ends at {{time}}.', { time: formatDateTime(new Date(until)) })
              : t(
                  'This link is signed by your session and already ends at {{time}}. A created link lasts until the date, and can be revoked.',
                  {
                    time: formatDateTime(new Date(until)),
                  },
                )}
          </Banner>
        )}
        <p className={css.hint}>
          {t('Everybody who has the link can download the object without signing in, until the link ends.')}
        </p>
        {links.data && links.data.links.length > 0 && (
          <div>
            <h3 className={css.label}>{t('Created links')}</h3>
            <LinkList bucket={bucket} links={links.data.links} />
          </div>
        )}
      </div>
      <div className={modal.foot}>
        <div className={modal.stored}>
          {until !== undefined && <Trans text="Ends <time/>" parts={{ time: <Time at={new Date(until)} exact /> }} />}
        </div>
        <Button onClick={onClose}>{t('Close')}</Button>
        <Button variant="filled" disabled={url === ''} onClick={copy}>
          {t('Copy link')}
        </Button>
      </div>
    </Dialog>
  )
}
