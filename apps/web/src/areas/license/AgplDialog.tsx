import { useT } from '../../lib/text/i18n.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import text from './agpl-3.0.txt?raw'
import css from './license.module.css'

/** The dialog with the full text of the license. */
export function AgplDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  return (
    <Dialog title={t('GNU Affero General Public License')} size="lg" onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <pre className={css.text} tabIndex={0}>
        {text}
      </pre>
    </Dialog>
  )
}
