import { expect, test } from 'vitest'
// @ts-expect-error a script without types
import { brokenPlaceholders, byArea, createCatalogues } from './texts/catalogues.mjs'
// @ts-expect-error a script without types
import { extract } from './texts/extract.mjs'

const FILE = 'apps/web/src/areas/buckets/a.tsx'
const extractTexts = (source: string) =>
  extract(FILE, source).texts.map(({ text, one }: { text: string; one?: string }) => one ?? text)

test.each([
  [`t('Size')`, ['Size']],
  ['t(`Size`)', ['Size']],
  [`const columns = [{ label: msg('Name') }, { label: msg('Size') }]`, ['Name', 'Size']],
  [`t(plural('{{count}} bucket', '{{count}} buckets'), { count })`, ['{{count}} bucket']],
  [`const a = <Trans text="Type <text/> to continue" parts={{}} />`, ['Type <text/> to continue']],
  [`const a = <Trans text={on ? msg('On') : msg('Off')} parts={{}} />`, ['On', 'Off']],
  [`t(action.label); t(titleOf(group))`, []],
  [
    `defineReasons({ gone: 'It is gone', wait: ['Wait {{count}} second', 'Wait {{count}} seconds'] })`,
    ['It is gone', 'Wait {{count}} second'],
  ],
])('%s has the texts %j', (source, texts) =>
  expect([extractTexts(source), extract(FILE, source).problems]).toEqual([texts, []]),
)

test.each([
  ["const label = 'Size'; t(label)", 'mark it with msg()'],
  [`t(on ? 'On' : 'Off')`, 'mark it with msg()'],
  [`t(\`Delete \${kind}\`)`, 'mark it with msg()'],
  [`t('Delete ' + kind)`, 'mark it with msg()'],
  ['msg(label)', 'mark it with msg()'],
  [`plural(one, '{{count}} buckets')`, 'plural() gets a text'],
  ['const a = <Cell label="Quota" />', 'label has a text that is not translated'],
  [`const a = <button aria-label={\`Delete \${name}\`} />`, 'aria-label has a text'],
  [`toast.ok('Bucket deleted')`, 'a toast shows a text'],
  [`throw new ApiFailure(0, { message: 'Gone' })`, 'a failure has a text'],
  ['defineReasons({ gone: text })', 'a reason is a text'],
  ['const say = useT()', 'name the result of useT() t'],
  [`import { t as text } from './i18n.ts'`, 'under its own name'],
  ['function titleOf(say: Translate) {}', 'name a function of type Translate t'],
])('%s is refused', (source, problem) => {
  const { problems } = extract(FILE, source)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(problem)
})

test('what no user reads needs no translation', () => {
  const source = 'const a = <Cell id="quota" className="wide" title={name} label={t(label)} aria-label="–" />'
  expect(extract(FILE, source).problems).toEqual([])
})

const at = (area: string) => `apps/web/src/${area}/a.tsx:1`

test('a text of several areas belongs to all of them, as do names of pages and what is said before signing in', () => {
  const { areas } = byArea([
    { text: 'Delete', at: at('areas/buckets') },
    { text: 'Delete', at: at('areas/objects') },
    { text: 'Quota', at: at('areas/buckets') },
    { text: 'Close', at: at('ui') },
    { text: 'Objects', at: 'apps/web/src/areas/objects/pages.ts:1' },
    { text: 'Welcome', at: at('areas/session') },
  ])
  expect(Object.fromEntries(areas)).toEqual({
    common: [{ text: 'Delete' }, { text: 'Close' }, { text: 'Objects' }, { text: 'Welcome' }],
    buckets: [{ text: 'Quota' }],
  })
})

test('a plural text has one pair of English forms', () => {
  const { problems } = byArea([
    { text: '{{count}} keys', one: '{{count}} key', at: at('ui') },
    { text: '{{count}} keys', one: 'one key', at: at('lib') },
  ])
  expect(problems).toHaveLength(1)
})

const areas = new Map([['common', [{ text: 'Size' }, { text: '{{count}} keys', one: '{{count}} key' }]]])

test.each([
  ['en', {}, { Size: 'Size', '{{count}} keys_one': '{{count}} key', '{{count}} keys_other': '{{count}} keys' }],
  ['zh-CN', { Size: '大小' }, { Size: '大小', '{{count}} keys_other': '' }],
  [
    'pl',
    { 'No longer used': 'Nieużywane' },
    {
      Size: '',
      '{{count}} keys_one': '',
      '{{count}} keys_few': '',
      '{{count}} keys_many': '',
      '{{count}} keys_other': '',
    },
  ],
])('the catalogue of %s has an entry for each form of the language', (language, translations, catalogue) => {
  expect(createCatalogues(language, areas, translations).get('common')).toEqual(catalogue)
})

test.each([
  ['{{size}} used', '{{size}} belegt', []],
  ['{{size}} used', 'belegt', ['{{size}}']],
  ['{{size}} used', '{{Größe}} belegt', ['{{size}}', '{{Größe}}']],
  ['Delete <name/>', '<name/> löschen', []],
  ['Delete <name/>', '<Name/> löschen', ['<name/>', '<Name/>']],
  ['{{count}} keys_one', 'ein Schlüssel', []],
  ['Delete <name/>', '', []],
])('of "%s", "%s" breaks %j', (key, translation, broken) =>
  expect(brokenPlaceholders(key, translation)).toEqual(broken),
)
