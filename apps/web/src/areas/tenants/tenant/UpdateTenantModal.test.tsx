// @vitest-environment happy-dom
import '../../../testing/dom.ts'
import type { Tenant } from '@stowage/contract'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '../../../testing/render.tsx'
import { UpdateTenantModal } from './UpdateTenantModal.tsx'

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })

test('the image is empty or repository/name:tag, and a registry needs all of its fields [TNT-46]', async () => {
  const tenant = { name: 'media', namespace: 'team-a', image: 'minio/minio:v1' } as Tenant
  render(<UpdateTenantModal tenant={tenant} onClose={() => undefined} />)
  await screen.findByLabelText("MinIO's Image")
  const expected = { '': false, 'minio/minio:v2': false, 'minio:v2': true, 'minio/minio': true, 'minio/minio:': true }
  for (const [image, disabled] of Object.entries(expected)) {
    type("MinIO's Image", image)
    expect([image, save().disabled]).toEqual([image, disabled])
  }
  type("MinIO's Image", '')
  fireEvent.click(screen.getByLabelText('Set Custom Image Registry'))
  const fields = ['Endpoint', 'Username', 'Password']
  for (const field of fields) type(field, 'x')
  expect(save().disabled).toBe(false)
  for (const field of fields) {
    type(field, ' ')
    expect([field, save().disabled]).toEqual([field, true])
    type(field, 'x')
  }
})
