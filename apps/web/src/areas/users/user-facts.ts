import type { User } from '@stowage/contract/users/users'
import { msg } from '../../lib/text/i18n.ts'
import type { TableTexts } from '../../ui/DataTable.tsx'

export const userTexts: TableTexts = {
  name: msg('Users'),
  empty: msg('No Users Available'),
  noMatch: msg('No Users match the filter.'),
}

export const keyOf = ({ accessKey }: User) => accessKey
