import { expect, test } from 'vitest'
import { type CanTheyQuestion, explainAccessBody, parseQuestion, questionSearch } from './can-they-question.ts'

const question: CanTheyQuestion = {
  who: 'group',
  name: 'build team',
  action: 's3:GetObject',
  resource: 'arn:aws:s3:::b/a&b=c',
  conditions: [
    { key: 'aws:SourceIp', value: '10.0.0.1' },
    { key: 's3:ExistingObjectTag/a=b', value: 'x=y' },
    { key: 'aws:Referer', value: '', absent: true },
  ],
}

test('a question is unchanged after a round trip through the URL', () => {
  const one = { ...question, conditions: question.conditions.slice(0, 1) }
  expect(parseQuestion(questionSearch(one), 'self')).toEqual(one)
  const absent = { ...question, conditions: question.conditions.filter((condition) => condition.absent) }
  expect(parseQuestion(questionSearch(absent), 'self')).toEqual(absent)
  const address = new URLSearchParams(questionSearch(one))
  expect(parseQuestion(Object.fromEntries(address), 'self')).toEqual(one)
})

test('a URL without a question is about the current user and is not sent yet', () => {
  const empty = parseQuestion({}, 'anna')
  expect(empty).toEqual({ who: 'user', name: 'anna', action: '', resource: '', conditions: [] })
  expect(explainAccessBody(empty)).toBeUndefined()
  expect(parseQuestion({ who: 'nonsense' }, 'anna').who).toBe('user')
  expect(explainAccessBody({ ...question, name: ' ' })).toBeUndefined()
})

test('anonymous callers have no name, and a blank resource means any', () => {
  expect(
    explainAccessBody({ ...question, who: 'anonymous', name: 'left over', resource: ' ', conditions: [] }),
  ).toEqual({
    subject: { type: 'anonymous' },
    action: 's3:GetObject',
  })
})
