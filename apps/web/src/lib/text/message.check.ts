import { type Message, msg, plural, type Translate } from './message.ts'

// Compile-time examples of texts that tsc must accept or reject.
declare const t: Translate
declare const size: string
declare const choice: 'Allow' | 'Deny'

const title: Message = msg('Delete Bucket')
export const acceptedTexts = [
  t('Size'),
  t('{{size}} used', { size }),
  t(title),
  t(msg('{{size}} used'), { size }),
  t(plural('{{count}} bucket', '{{count}} buckets'), { count: 2 }),
  t(plural('{{name}} and {{count}} other', '{{name}} and {{count}} others'), { count: 2, name: size }),
]
// @ts-expect-error a variable: the extractor does not see its text
export const variable = t(size)
// @ts-expect-error a choice: the extractor does not see its texts
export const union = t(choice)
// @ts-expect-error not marked with msg()
export const unmarked: Message = 'Size'
// @ts-expect-error no value for {{size}}
export const noValue = t('{{size}} used')
// @ts-expect-error no value for {{size}}
export const noValueOfMessage = t(msg('{{size}} used'))
// @ts-expect-error another name
export const wrongPlaceholder = t('{{size}} used', { bytes: 5 })
// @ts-expect-error a plural needs its count
export const noCount = t(plural('{{name}} and one other', '{{name}} and others'), { name: size })
// @ts-expect-error a variable
export const markedVariable = msg(size)
