import { Button } from '@mantine/core'
import { asFailure } from '../../lib/api/api.ts'
import { change } from '../../lib/changes/change.ts'
import { confirmDelete, openConfirmation } from '../../lib/feedback/confirm.ts'
import { t, useT } from '../../lib/text/i18n.ts'

const message = (group: string) => t('Group {{name}} deleted', { name: group })

/** Deletes a group after confirmation. If it has members, these are removed first if the user agrees. */
export function askDeleteGroup(group: string) {
  confirmDelete({
    title: t('Delete Group'),
    name: group,
    run: () => change('deleteGroup', { query: { name: group } }, { message: () => message(group) }),
    help: (error) => asFailure(error).code === 'XMinioAdminGroupNotEmpty' && <EmptyGroupButton group={group} />,
  })
}

function EmptyGroupButton({ group }: { group: string }) {
  const t = useT()
  return (
    <Button size="xs" onClick={() => askEmptyAndDelete(group)}>
      {t('Remove its members and delete it')}
    </Button>
  )
}

function askEmptyAndDelete(group: string) {
  openConfirmation.set(undefined)
  confirmDelete({
    title: t('Delete Group'),
    name: group,
    body: t('All members are removed from the group first. They lose the rights that they have by this group.'),
    mustType: group,
    run: () =>
      change('deleteGroup', { query: { name: group, remove_members: 'true' } }, { message: () => message(group) }),
  })
}
