import { expect, test } from 'vitest'
import { parseTemplate } from './variable-template.ts'

test('a variable is found after braces that do not start a variable', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of policies
  expect(parseTemplate('${home/${aws:username}/*', 'stowage')?.keys).toEqual(['aws:username'])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
  expect(parseTemplate('${unknown}', 'stowage')).toBeUndefined()
})

test('a long text of braces is parsed in linear time', () => {
  const startedAt = performance.now()
  expect(parseTemplate('${'.repeat(200_000), 'stowage')).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
