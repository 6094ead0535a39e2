import { describe, expect, test } from 'vitest'
import { children, parseLargeXml, parseXml, toXmlText, xmlChild, xmlChildText } from './xml.ts'

describe('xmlText', () => {
  test.each([
    ['plain', 'plain'],
    [`<&>"'`, '&lt;&amp;&gt;&quot;&#39;'],
    ['a\u0001\n\t\r', 'a\ufffd&#xA;&#x9;&#xD;'],
    ['ü😀', 'ü😀'],
    ['\uffff\u0000', '\ufffd\ufffd'],
  ])('%j becomes %s', (text, escaped) => {
    expect(toXmlText(text)).toBe(escaped)
  })
})

describe('parseXml', () => {
  test('keeps texts as they were sent', () => {
    const root = parseXml('<R><K> 0012 </K><K>&#x41;&amp;</K><E/></R>', 'R')
    expect(children(root, 'K')).toEqual([' 0012 ', 'A&'])
    expect([xmlChildText(root, 'E'), xmlChild(root, 'absent')]).toEqual(['', undefined])
  })

  test.each([
    ['&lt;&gt;&amp;&quot;&apos;', `<>&"'`],
    ['&#1;&#x1F;&#xA;&#65;&#x1f600;&#xFFFF;', '\u0001\u001f\nA😀\uffff'],
    ['<![CDATA[&lt;]]>&amp;lt;', '&lt;&lt;'],
    ['a<!-- & --><?x & ?>b', 'ab'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['voilà', 'voilà'],
  ])('%j is the text %j', (text, wanted) => {
    expect(xmlChildText(parseXml(Buffer.from(`<R><K>${text}</K></R>`), 'R'), 'K')).toBe(wanted)
  })

  test('an element may be called like a member of every object', () => {
    const root = parseXml('<R><__proto__>a</__proto__><toString>b</toString></R>', 'R')
    expect([xmlChildText(root, '__proto__'), xmlChildText(root, 'toString'), xmlChildText(root, 'valueOf')]).toEqual([
      'a',
      'b',
      undefined,
    ])
  })

  test.each([
    '&copy;',
    '&nbsp;',
    '&unknown;',
    '&constructor;',
    '&',
    '&;',
    '&amp',
    '&#;',
    '&#x;',
    '&#xg;',
    '&#-1;',
    '&#0;',
    '&#xD800;',
    '&#x110000;',
    ']]>',
    '<!ENTITY a "b">',
  ])('a text with %j is refused', (text) => {
    expect(() => parseXml(`<R><K>${text}</K></R>`, 'R')).toThrow('not well-formed')
  })

  test('bytes that are no UTF-8 are refused, and what is said to be in another encoding', () => {
    expect(() => parseXml(Buffer.from('<R><K>\xe0</K></R>', 'latin1'), 'R')).toThrow('not well-formed')
    expect(() => parseXml('<?xml version="1.0" encoding="ISO-8859-1"?><R/>', 'R')).toThrow('not well-formed')
    expect(parseXml('<?xml version="1.0" encoding="utf-8"?><R/>', 'R')).toEqual({})
  })

  test('an empty root has no children', () => {
    expect(parseXml('<R></R>', 'R')).toEqual({})
    expect(parseXml('<R/>', 'A', 'R')).toEqual({})
  })

  test.each([
    '',
    'text',
    '<R>',
    '<R>text</R>',
    '<R/><R/>',
    '<R/>text',
    '<R></Q>',
    '<R a=></R>',
    '<R a="&b;"/>',
    '<!DOCTYPE R><R/>',
    '<Q/>',
  ])('%j is refused', (text) => {
    expect(() => parseXml(text, 'R')).toThrow('not well-formed')
  })

  test.each([
    ['more elements than any has', `<R>${'<a/>'.repeat(100_000)}</R>`],
    ['more different elements', `<R>${Array.from({ length: 65 }, (_, n) => `<a${n}/>`).join('')}</R>`],
    ['a long text', `<R><a>${'x'.repeat(65_537)}</a></R>`],
    ['a long comment', `<R><!--${'x'.repeat(65_537)}--></R>`],
    ['a long name', `<R><${'x'.repeat(65_537)}/></R>`],
    ['many attributes', `<R><a ${'b="" '.repeat(20_000)}/></R>`],
  ])('%s is refused', (_, text) => {
    expect(() => parseXml(text, 'R')).toThrow('not well-formed')
  })

  test('line ends are those of XML, but for those that were meant', () => {
    expect(xmlChildText(parseXml('<R><K>a\r\nb&#13;\rc<![CDATA[d\r]]>\ne</K></R>', 'R'), 'K')).toBe('a\nb\r\ncd\n\ne')
  })

  test('other requests have their turn while a large document is read', async () => {
    const checksum = `<ChecksumSHA256>${'A'.repeat(43)}=</ChecksumSHA256>`
    const part = (n: number) => `<Part><PartNumber>${n}</PartNumber><ETag>"${'a'.repeat(32)}"</ETag>${checksum}</Part>`
    const text = `<R>${Array.from({ length: 10_000 }, (_, n) => part(n)).join('')}</R>`
    let turns = 0
    const reading = parseLargeXml(text, 'R')
    let isRead = false
    const takeTurns = () => {
      turns++
      if (!isRead) setImmediate(takeTurns)
    }
    takeTurns()
    const root = await reading
    isRead = true
    expect(children(root, 'Part')).toHaveLength(10_000)
    expect(turns).toBeGreaterThan(text.length / 100_000)
    await expect(parseLargeXml('<R>', 'R')).rejects.toThrow('not well-formed')
  })

  // Refusing a document costs time only in the sender's own request.
  test.each([
    '<!--',
    '<![CDATA[',
    '<?',
    '<',
    '</',
    '<!',
    '<a>',
    '<a/>',
    '<a b="',
    '<a b="c" ',
    '<a ',
    ' ',
    '\t\r',
    '&',
    '&#',
    '&amp;',
    '&#1;',
    '&#x',
    ']]',
    'encoding ',
  ])('two megabytes of %j take no longer than their length', (piece) => {
    const many = piece.repeat(2_000_000 / piece.length)
    const startedAt = performance.now()
    for (const text of [many, `<R>${many}`, `<R${many}`, `<R a="${many}`, `<?xml ${many}`, `<R><!--${many}`]) {
      expect(() => parseXml(text, 'R')).toThrow('not well-formed')
    }
    expect(performance.now() - startedAt).toBeLessThan(3000)
  })
})
