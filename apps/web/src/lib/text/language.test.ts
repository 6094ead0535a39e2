import { expect, test } from 'vitest'
import { bestLanguage, nameOfLanguage } from './language.ts'

test.each([
  [['de-CH', 'en-GB'], ['en', 'de'], 'de'],
  [['zh-Hans-SG', 'en'], ['en', 'zh-CN'], 'zh-CN'],
  [['zh-TW', 'en'], ['en', 'zh-CN'], 'en'],
  [['pt', 'pt-BR'], ['en', 'pt-PT', 'pt-BR'], 'pt-PT'],
  [['pt-BR'], ['en', 'pt-PT', 'pt-BR'], 'pt-BR'],
  [['fr'], ['en'], 'en'],
])('who reads %j gets, of %j, %s', (wanted, available, language) =>
  expect(bestLanguage(wanted, available)).toBe(language),
)

test('a language has its own name', () => expect(nameOfLanguage('zh-CN')).toBe('中文（中国）'))
