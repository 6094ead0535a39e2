// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '../../testing/render.tsx'
import { CredentialsModal } from './CredentialsModal.tsx'
import { credentialsFile } from './credentials.ts'

const pairs = [
  { accessKey: 'first-key', secretKey: 'first-secret' },
  { accessKey: 'second-key', secretKey: 'second-secret' },
]
const nothing = () => undefined

test('all pairs of keys are shown and are in the file [SVC-07] [SVC-08]', async () => {
  render(<CredentialsModal title="New" credentials={{ console: pairs }} onClose={nothing} />)
  for (const { accessKey, secretKey } of pairs) {
    await screen.findByText(accessKey)
    await screen.findByText(secretKey)
  }
  expect(JSON.parse(credentialsFile({ console: pairs }))).toEqual({
    console: [
      { access_key: 'first-key', secret_key: 'first-secret' },
      { access_key: 'second-key', secret_key: 'second-secret' },
    ],
  })
})

test('with an identity provider no keys are shown [SVC-06]', async () => {
  render(<CredentialsModal title="New" credentials={{ console: pairs, idp: true }} onClose={nothing} />)
  await screen.findByText(/external identity provider/)
  expect(screen.queryByText('first-secret')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
})
