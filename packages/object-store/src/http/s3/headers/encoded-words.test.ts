import { expect, test } from 'vitest'
import { encodeWireText } from '../../call/wire-text.ts'
import { encodeWords } from './encoded-words.ts'

const repeated = (word: string, times: number) => Array.from({ length: times }, () => word).join(' ')
const ten = '=C3=BC'.repeat(10)

// As encoded by MinIO RELEASE.2025-10-15.
test.each([
  ['plain, "quoted" = ? _', 'plain, "quoted" = ? _'],
  ['=?UTF-8?Q?x?=', '=?UTF-8?Q?x?='],
  ['grün', '=?UTF-8?q?gr=C3=BCn?='],
  ['a b ü', '=?UTF-8?q?a_b_=C3=BC?='],
  ['tab\tx ü', '=?UTF-8?q?tab=09x_=C3=BC?='],
  ['a_b=ü?', '=?UTF-8?q?a=5Fb=3D=C3=BC=3F?='],
  ['ü!*+-/\\', '=?UTF-8?q?=C3=BC!*+-/\\?='],
  ['quote"ü', '=?UTF-8?b?cXVvdGUiw7w=?='],
  ['~!@#$%^&*()ü', '=?UTF-8?b?fiFAIyQlXiYqKCnDvA==?='],
  ['😀', '=?UTF-8?q?=F0=9F=98=80?='],
  ['ü'.repeat(60), repeated(`=?UTF-8?q?${ten}?=`, 6)],
  ['ü'.repeat(11), `=?UTF-8?q?${ten}?= =?UTF-8?q?=C3=BC?=`],
  [`${'x'.repeat(80)}ü`, `=?UTF-8?q?${'x'.repeat(63)}?= =?UTF-8?q?${'x'.repeat(17)}=C3=BC?=`],
  ['ü@'.repeat(40), `${repeated(`=?UTF-8?b?${'w7xA'.repeat(15)}?=`, 2)} =?UTF-8?b?${'w7xA'.repeat(10)}?=`],
  [
    '日.'.repeat(30),
    `${repeated('=?UTF-8?b?5pelLuaXpS7ml6Uu5pelLuaXpS7ml6Uu5pelLuaXpS7ml6Uu5pelLuaXpS4=?=', 2)} ` +
      '=?UTF-8?b?5pelLuaXpS7ml6Uu5pelLuaXpS7ml6Uu5pelLuaXpS4=?=',
  ],
])('%s', (text, header) => {
  expect(encodeWords(encodeWireText(text))).toBe(header)
})

test('what is no UTF-8 is encoded byte by byte', () => {
  expect(encodeWords('gr\xfcn')).toBe('=?UTF-8?q?gr=FCn?=')
})
