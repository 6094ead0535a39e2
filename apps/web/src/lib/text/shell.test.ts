import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from './shell.ts'

const names = [
  "it's",
  'a b',
  '$(id)',
  '`id`',
  '"',
  'a\\b',
  "'; rm -rf x; '",
  '*',
  '~',
  '!x',
  'ü',
  'new\nline',
  'a&b',
  '',
]

test('a shell parses a quoted word as the original name', () => {
  const read = execFileSync('sh', ['-c', `printf '%s|' ${names.map(shellWord).join(' ')}`], { encoding: 'utf8' })
  expect(read).toBe(names.map((name) => `${name}|`).join(''))
})

test('a plain name is unchanged', () => expect(shellWord('media/a-b_c.1/')).toBe('media/a-b_c.1/'))
