import { expect, test } from 'vitest'
import { pseudo } from './pseudo.ts'

test.each([
  ['Delete Bucket', 'Ðééļééţéé Ɓûûçķééţ'],
  ['{{count}} of {{total}} servers', '{{count}} ööƒ {{total}} šééŕṽééŕš'],
  ['Drop to upload into <folder/>', 'Ðŕööþ ţöö ûûþļööààð îîñţöö <folder/>'],
  ['<b>{{count}}</b> objects', '<b>{{count}}</b> ööƀĵééçţš'],
])('the pseudo-locale turns %s into %s', (text, shown) => expect(pseudo(text)).toBe(shown))

test('sentences become a quarter longer, like translations', () => {
  const text = 'The bucket has a policy of its own. Saving replaces it.'
  expect(pseudo(text).length / text.length).toBeGreaterThan(1.25)
})
