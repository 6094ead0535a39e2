import { expect, test } from 'vitest'
import { configWords } from './config-words.ts'

const parseWords = (...args: Parameters<typeof configWords>) =>
  Array.from(configWords(...args), ({ key, value, problem }) => [key, value, ...(problem ? [problem] : [])])

/** The same text, as a client means it and as a server does. */
test.each([
  [
    'a=1 b= c=""',
    [
      ['a', '1'],
      ['b', ''],
      ['c', ''],
    ],
    undefined,
  ],
  [
    'a="two words" b=2',
    [
      ['a', 'two words'],
      ['b', '2'],
    ],
    undefined,
  ],
  [
    'a=two words b=2',
    [
      ['a', 'two'],
      [undefined, 'words'],
      ['b', '2'],
    ],
    undefined,
  ],
  [
    'a="say ""hi""" b=2',
    [
      ['a', 'say "hi"'],
      ['b', '2'],
    ],
    undefined,
  ],
  // MinIO would cut a client's value here: it looks for `queue_limit=` in quotes too.
  [
    'a="http://h/x?queue_limit=5" b=2',
    [
      ['a', 'http://h/x?queue_limit=5'],
      ['b', '2'],
    ],
    undefined,
  ],
  // In single quotes, which MinIO removes from what clients send, but never writes.
  [
    `a='two words' b=2`,
    [
      ['a', 'two words'],
      ['b', '2'],
    ],
    [
      ['a', `'two`],
      [undefined, `words'`],
      ['b', '2'],
    ],
  ],
  // MinIO writes quotes inside a value as they are; a client has to double them.
  [
    'a="it is "quoted" text" b=2',
    [
      ['a', 'it is ', 'quote-inside'],
      [undefined, 'quoted"'],
      [undefined, 'text"'],
      ['b', '2'],
    ],
    [
      ['a', 'it is "quoted" text'],
      ['b', '2'],
    ],
  ],
  [
    'a="x" y" b=2',
    [
      ['a', 'x'],
      [undefined, 'y"'],
      ['b', '2'],
    ],
    [
      ['a', 'x" y'],
      ['b', '2'],
    ],
  ],
  [
    'a="no end b=2',
    [['a', 'no end b=2', 'open-quote']],
    [
      ['a', '"no'],
      [undefined, 'end'],
      ['b', '2'],
    ],
  ],
])('%s', (text, byClient, byServer = byClient) => {
  expect(parseWords(text, 'client')).toEqual(byClient)
  expect(parseWords(text, 'server')).toEqual(byServer)
})

test.each(['a=" x ', "a=' x ", '" ', ' ', 'a', 'a="" '])('256 KiB of %j are read in linear time', (part) => {
  const startedAt = performance.now()
  for (const writer of ['client', 'server'] as const) parseWords(`${part.repeat((1 << 18) / part.length)}!`, writer)
  expect(performance.now() - startedAt).toBeLessThan(500)
})
