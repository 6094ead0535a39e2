// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '../../testing/render.tsx'
import { RawRecord } from './RecordFacts.tsx'

test('a raw record has lines; bidirectional characters in it are shown as their code', async () => {
  const record = { name: 'a\u202Eb', list: [1] }
  const { container } = render(<RawRecord record={record} />)
  await screen.findByText('Raw')
  const text = container.querySelector('pre')?.textContent ?? ''
  expect(text).toMatch(/^\{\n {2}"name": "a[^\u202E]+b",\n {2}"list": \[\n/)
})
