import type { Output } from '@stowage/contract'
import { type Message, msg } from '../../lib/text/message.ts'

export type RuleAccess = 'readonly' | 'writeonly' | 'readwrite'

export type Rule = Output<'listAccessRules'>['accessRules'][number]

/** A rule while it is edited. */
export interface TypedRule {
  prefix: string
  access: RuleAccess
}

export const ruleWords: Record<RuleAccess, Message> = {
  readonly: msg('Read only'),
  writeonly: msg('Write only'),
  readwrite: msg('Read and write'),
}

export const ruleHints: Record<RuleAccess, Message> = {
  readonly: msg('Everyone can list and read objects below the prefix.'),
  writeonly: msg('Everyone can write and delete objects below the prefix, but not read them.'),
  readwrite: msg('Everyone can list, read, write and delete objects below the prefix.'),
}

export const accessWord = (access: Rule['access']): Message => (access === 'none' ? msg('None') : ruleWords[access])
