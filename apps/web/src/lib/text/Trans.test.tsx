// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { plural } from './i18n.ts'
import { Trans } from './Trans.tsx'

const html = (element: React.ReactNode) => render(element).container.innerHTML

test('elements are placed where the text has them', () => {
  expect(html(<Trans text="Type <text/> to continue" parts={{ text: <code>media</code> }} />)).toBe(
    'Type <code>media</code> to continue',
  )
  expect(html(<Trans text="<b>{{size}}</b> used" values={{ size: '9.6 TiB' }} parts={{ b: <b /> }} />)).toBe(
    '<b>9.6 TiB</b> used',
  )
})

test.each([
  [1, '<b>1</b> bucket'],
  [1204, '<b>1,204</b> buckets'],
])('the count %d selects the plural form', (count, shown) => {
  const text = plural('<b>{{count}}</b> bucket', '<b>{{count}}</b> buckets')
  expect(html(<Trans text={text} values={{ count }} parts={{ b: <b /> }} />)).toBe(shown)
})

test.each(['<b>x</b>', '<name/>', '{{size}}', '{{count}}', '$t(Delete)', '&lt;', 'a & b', '<script>'])(
  'the name %s is shown unchanged',
  (name) => {
    const { container } = render(
      <Trans
        text="<name/> in {{bucket}}: {{size}}"
        values={{ bucket: name, size: '1 B' }}
        parts={{ name: <i>{name}</i> }}
      />,
    )
    expect(container.textContent).toBe(`${name} in ${name}: 1 B`)
  },
)
