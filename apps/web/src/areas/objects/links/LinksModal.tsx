import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import modal from '../../../ui/dialog/FormModal.module.css'
import { DialogTitle } from '../../../ui/dialog/FormModal.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { LinkList } from './LinkList.tsx'

interface LinksModalProps {
  bucket: string
  prefix: string
  onCreate: () => void
  onClose: () => void
}

/** The dialog with the caller's links for a bucket: to download objects and to upload. */
export function LinksModal({ bucket, prefix, onCreate, onClose }: LinksModalProps) {
  const t = useT()
  const query = useQuery(q('listLinks', { params: { bucket }, query: {} }))
  const needs = useDisabledReason({ bucket, prefix })
  return (
    <Dialog onClose={onClose} size={640} title={<DialogTitle title={t('Links')} subject={bucket} />}>
      <div className={modal.body}>
        <QueryView query={query}>
          {({ links }) =>
            links.length > 0 ? (
              <LinkList bucket={bucket} links={links} paths />
            ) : (
              <EmptyState title={t('You have no links to this bucket.')}>
                {t('Share an object to create a download link, or create an upload link for others to send you files.')}
              </EmptyState>
            )
          }
        </QueryView>
      </div>
      <div className={modal.foot}>
        <div className={modal.stored}>
          {t('Links signed by your session are not listed. They end with the session.')}
        </div>
        <Button onClick={onClose}>{t('Close')}</Button>
        <Disabled reason={needs('s3:PutObject')}>
          <Button variant="filled" onClick={onCreate}>
            {t('Create Upload Link')}
          </Button>
        </Disabled>
      </div>
    </Dialog>
  )
}
