// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { MiB } from '@stowage/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiFailure } from '../../lib/failure.ts'
import { render } from '../../testing/render.tsx'
import type { Upload } from '../engine/types.ts'
import { UploadRow } from './UploadRow.tsx'

async function show(fields: Partial<Upload>) {
  const whole = { size: 80 * MiB, lastModified: 0, sent: 0, kept: 0, rate: 0, state: 'waiting' as const }
  render(
    <UploadRow
      upload={{ kind: 'upload', id: '1', owner: 'o', bucket: 'b', key: 'dir/film.mov', ...whole, ...fields }}
    />,
  )
  await screen.findByText('film.mov')
}

test('a running upload tells how far, how fast and how long', async () => {
  await show({ state: 'running', sent: 52 * MiB, rate: 2 * MiB })
  screen.getByText('52 of 80 MiB, 2.0 MiB/s')
  screen.getByText('14 sec left')
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('65')
  screen.getByRole('button', { name: 'Pause film.mov' })
})

test('a failed one tells why, what is kept, and can be tried again [OBJ-30]', async () => {
  await show({ state: 'failed', kept: 48 * MiB, error: new ApiFailure(403, { message: 'quota exceeded' }) })
  screen.getByText('An error occurred while uploading the file')
  screen.getByText('Quota exceeded')
  screen.getByText('48 of 80 MiB kept')
  screen.getByRole('button', { name: 'Retry film.mov' })
})

test('one from before the reload asks for its file', async () => {
  await show({ state: 'needs-file', kept: 48 * MiB })
  screen.getByRole('button', { name: 'Choose File for film.mov' })
})

test('one whose object exists offers to keep or replace it', async () => {
  await show({ state: 'asking' })
  screen.getByText('An object with this name exists')
  screen.getByRole('button', { name: 'Keep film.mov' })
  screen.getByRole('button', { name: 'Replace film.mov' })
})

test('a finished one leads to its object', async () => {
  await show({ state: 'done' })
  expect(screen.getByRole('link', { name: 'film.mov' }).getAttribute('href')).toBe('/object-browser/b/dir/film.mov')
})

test('one of several with its name is called by its whole path, by its buttons too', async () => {
  const fields = { size: 1, lastModified: 0, sent: 0, kept: 0, rate: 0, state: 'running' as const }
  render(
    <UploadRow whole upload={{ kind: 'upload', id: '1', owner: 'o', bucket: 'b', key: 'dir/film.mov', ...fields }} />,
  )
  await screen.findByText('b/dir/')
  screen.getByRole('button', { name: 'Pause b/dir/film.mov' })
  screen.getByRole('button', { name: 'Cancel b/dir/film.mov' })
})

test('one that is tried again by itself says why and when', async () => {
  const retry = { error: new ApiFailure(503, { message: 'server is busy' }), at: Date.now() + 3500 }
  await show({ state: 'running', sent: 0, retry })
  screen.getByText('Trying again in 4 seconds')
  screen.getByText('Server is busy')
})
