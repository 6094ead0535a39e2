import type { User } from '@stowage/contract/users/users'
import { msg } from '../../lib/text/i18n.ts'
import type { TableTexts } from '../../ui/table/DataTable.tsx'

export const userTexts: TableTexts = {
  name: msg('Users'),
  empty: msg('No Users Available'),
  emptyHint: msg(
    'A user signs in with an access key and a secret key. Policies of the user and of its groups decide what it can do.',
  ),
  noMatch: msg('No Users match the filter.'),
}

export const userAccessKey = ({ accessKey }: User) => accessKey
