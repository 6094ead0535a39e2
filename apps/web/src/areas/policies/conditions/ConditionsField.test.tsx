// @vitest-environment happy-dom
import '../../../testing/dom.ts'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { render } from '../../../testing/render.tsx'
import { ConditionsField } from './ConditionsField.tsx'

function Form({ operators }: { operators?: string[] }) {
  const [texts, setTexts] = useState<string[]>([])
  return (
    <ConditionsField
      texts={texts}
      keys={['s3:prefix']}
      {...(operators && { operators })}
      onAdd={({ operator, key, value }) => setTexts([...texts, `${operator} ${key}=${value}`.trim()])}
      onRemove={(index) => setTexts(texts.toSpliced(index, 1))}
    />
  )
}

test('a condition is added by keyboard, without losing the focus, and removed', async () => {
  const user = userEvent.setup()
  render(<Form />)
  await user.click(await screen.findByRole('button', { name: 'Add condition' }))
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Condition key' }))
  await user.keyboard(' aws:SourceIp')
  await user.click(screen.getByLabelText('Value'))
  await user.keyboard('192.0.2.1{Enter}')
  await screen.findByText('aws:SourceIp=192.0.2.1')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add condition' }))
  await user.click(screen.getByRole('button', { name: 'Remove aws:SourceIp=192.0.2.1' }))
  expect(screen.queryByText('aws:SourceIp=192.0.2.1')).toBeNull()
})

test('the first operator is the default one', async () => {
  const user = userEvent.setup()
  render(<Form operators={['StringEquals', 'StringLike']} />)
  await user.click(await screen.findByRole('button', { name: 'Add condition' }))
  await user.type(screen.getByRole('combobox', { name: 'Condition key' }), 's3:prefix')
  await user.type(screen.getByLabelText('Value'), 'a')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  await screen.findByText('StringEquals s3:prefix=a')
})
