import { formatPolicy, policyFromJson } from '@stowage/iam-policy'
import { expect, test } from 'vitest'
import { statementLines } from './statement-lines.ts'

const statement = (Sid: string) => ({ Sid, Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::b/*'] })

test('the lines of a statement in a formatted policy are from its first to its last bracket', () => {
  const text = formatPolicy(policyFromJson({ Version: '2012-10-17', Statement: [statement('A'), statement('B')] }))
  const lines = text.split('\n')
  const found = statementLines(text).map(({ from, to }) => lines.slice(from - 1, to))
  expect(found.map(([first]) => first?.trim())).toEqual(['{', '{'])
  expect(found.map((part) => part.at(-1)?.trim())).toEqual(['},', '}'])
  expect(found.map((part) => part[1]?.trim())).toEqual(['"Sid": "A",', '"Sid": "B",'])
})

test.each([
  ['one line', `{"Version":"2012-10-17","Statement":[${JSON.stringify(statement('A'))}]}`, [{ from: 1, to: 1 }]],
  ['one statement without a list', '{\n"statement": {\n"Effect": "Allow"\n}\n}', [{ from: 2, to: 4 }]],
  ['text that is being typed', '{\n"Statement": [\n{ "Effect": "All', [{ from: 3, to: 3 }]],
  ['an empty text', '', []],
  ['a list', '[{}]', []],
])('%s', (_, text, lines) => {
  expect(statementLines(text)).toEqual(lines)
})
