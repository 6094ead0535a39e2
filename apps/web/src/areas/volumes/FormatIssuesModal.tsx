import { Button } from '@mantine/core'
import type { FormatIssue } from '@stowage/contract'
import { saveFile } from '../../lib/save-file.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import form from '../../ui/dialog/FormModal.module.css'
import css from './volumes.module.css'

/** The dialog with the drives that could not be formatted, and why. */
export function FormatIssuesModal({ issues, onClose }: { issues: readonly FormatIssue[]; onClose: () => void }) {
  const t = useT()
  const download = () => saveFile('csiFormatErrors.json', JSON.stringify(issues, null, 2), 'application/json')
  return (
    <Dialog title={t('Format Errors')} onClose={onClose} size={765}>
      <div className={form.body}>
        <p>
          {t('There were some issues trying to format the selected CSI Drives, please fix the issues and try again.')}
        </p>
        <table className={css.issues}>
          <thead>
            <tr>
              <th>{t('Node')}</th>
              <th>{t('Drive')}</th>
              <th>{t('Message')}</th>
            </tr>
          </thead>
          <tbody>
            {issues.map(({ node, drive, error }) => (
              <tr key={`${node}:${drive}`}>
                <td>{node}</td>
                <td>
                  <code>{drive}</code>
                </td>
                <td>{error}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={form.foot}>
        <div className="grow" />
        <Button onClick={download}>{t('Download')}</Button>
        <Button variant="filled" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </Dialog>
  )
}
