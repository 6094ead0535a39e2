import { expect, test } from 'vitest'
import { parseTemplate } from './template.ts'

test('a variable is found behind braces that open none', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of policies
  expect(parseTemplate('${home/${aws:username}/*')?.keys).toEqual(['aws:username'])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
  expect(parseTemplate('${unknown}')).toBeUndefined()
})

test('a long text of braces is read in the time of any other', () => {
  const startedAt = performance.now()
  expect(parseTemplate('${'.repeat(200_000))).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
