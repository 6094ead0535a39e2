import { expect, test } from 'vitest'
import { bestLanguage, languageName } from './language.ts'

test.each([
  [['de-CH', 'en-GB'], ['en', 'de'], 'de'],
  [['zh-Hans-SG', 'en'], ['en', 'zh-CN'], 'zh-CN'],
  [['zh-TW', 'en'], ['en', 'zh-CN'], 'en'],
  [['pt', 'pt-BR'], ['en', 'pt-PT', 'pt-BR'], 'pt-PT'],
  [['pt-BR'], ['en', 'pt-PT', 'pt-BR'], 'pt-BR'],
  [['fr'], ['en'], 'en'],
])('for the preferences %j and the languages %j, selects %s', (wanted, available, language) =>
  expect(bestLanguage(wanted, available)).toBe(language),
)

test('a language is named in that language', () => expect(languageName('zh-CN')).toBe('中文（中国）'))
