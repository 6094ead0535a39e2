import type { Output } from '@stowage/contract'
import { type Message, msg } from '../../../lib/text/message.ts'

export type EditableRuleAccess = 'readonly' | 'writeonly' | 'readwrite'

export type AccessRuleItem = Output<'listAccessRules'>['accessRules'][number]

/** A rule while it is edited. */
export interface AccessRuleInput {
  prefix: string
  access: EditableRuleAccess
}

export const ruleAccessLabels: Record<EditableRuleAccess, Message> = {
  readonly: msg('Read only'),
  writeonly: msg('Write only'),
  readwrite: msg('Read and write'),
}

export const ruleAccessHints: Record<EditableRuleAccess, Message> = {
  readonly: msg('Everyone can list and read objects below the prefix.'),
  writeonly: msg('Everyone can write and delete objects below the prefix, but not read them.'),
  readwrite: msg('Everyone can list, read, write and delete objects below the prefix.'),
}

export const ruleAccessText = (access: AccessRuleItem['access']): Message =>
  access === 'none' ? msg('None') : ruleAccessLabels[access]
