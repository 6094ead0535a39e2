import { change } from '../../lib/changes/change.ts'
import { confirmDelete } from '../../lib/feedback/confirm.ts'
import { t } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'

/** Deletes a user after confirmation. @param onDone leaves the page of the user */
export function askDeleteUser(user: string, onDone?: () => void) {
  confirmDelete({
    title: t('Delete User'),
    name: user,
    body: (
      <Trans
        text="<name/> will be deleted permanently, with its service accounts. Its sessions end at once."
        parts={{ name: <b>{user}</b> }}
      />
    ),
    run: () =>
      change(
        'deleteUser',
        { query: { name: user }, body: { id: user } },
        { message: () => t('User {{name}} deleted', { name: user }), ...(onDone && { onDone }) },
      ),
  })
}
