import { describe, expect, test } from 'vitest'
import { child, children, childText, escapeXml, parseXml } from './xml.ts'

describe('escapeXml', () => {
  test.each([
    ['plain', 'plain'],
    [`<&>"'`, '&lt;&amp;&gt;&quot;&#39;'],
    ['a\u0001\n', 'a&#x1;&#xA;'],
    ['ü😀', 'ü😀'],
    ['\uffff', '&#xFFFF;'],
  ])('%j becomes %s', (text, escaped) => {
    expect(escapeXml(text)).toBe(escaped)
  })
})

describe('parseXml', () => {
  test('keeps texts as they were sent', () => {
    const root = parseXml('<R><K> 0012 </K><K>&#x41;&amp;</K><E/></R>', 'R')
    expect(children(root, 'K')).toEqual([' 0012 ', 'A&'])
    expect([childText(root, 'E'), child(root, 'absent')]).toEqual(['', undefined])
  })

  test('an empty root has no children', () => {
    expect(parseXml('<R></R>', 'R')).toEqual({})
    expect(parseXml('<R/>', 'A', 'R')).toEqual({})
  })

  test.each(['', 'text', '<R>', '<R>text</R>', '<R/><R/>', '<R a=></R>', '<!DOCTYPE R><R/>', '<Q/>'])(
    '%j is refused',
    (text) => {
      expect(() => parseXml(text, 'R')).toThrow('not well-formed')
    },
  )
})
