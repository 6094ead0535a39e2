// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { MiB } from '@stowage/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiFailure } from '../../lib/api/api-failure.ts'
import { render } from '../../testing/render.tsx'
import type { FileUpload } from '../list/types.ts'
import { UploadRow } from './UploadRow.tsx'

async function show(fields: Partial<FileUpload>) {
  const whole = { size: 80 * MiB, lastModified: 0, sent: 0, kept: 0, rate: 0, state: 'waiting' as const }
  render(
    <UploadRow
      upload={{ kind: 'upload', id: '1', owner: 'o', bucket: 'b', key: 'dir/film.mov', ...whole, ...fields }}
    />,
  )
  await screen.findByText('film.mov')
}

test('a running upload shows progress, rate and remaining time', async () => {
  await show({ state: 'running', sent: 52 * MiB, rate: 2 * MiB })
  screen.getByText('52 of 80 MiB, 2.0 MiB/s')
  screen.getByText('14 sec left')
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('65')
  screen.getByRole('button', { name: 'Pause film.mov' })
})

test('a failed upload shows the reason and the completed part, and can be retried [OBJ-30]', async () => {
  await show({ state: 'failed', kept: 48 * MiB, error: new ApiFailure(403, { message: 'quota exceeded' }) })
  screen.getByText('An error occurred while uploading the file')
  screen.getByText('Quota exceeded')
  screen.getByText('48 of 80 MiB kept')
  screen.getByRole('button', { name: 'Retry film.mov' })
})

test('an upload from before the reload asks for its file', async () => {
  await show({ state: 'needs-file', kept: 48 * MiB })
  screen.getByRole('button', { name: 'Choose File for film.mov' })
})

test('an upload whose object exists offers to keep or replace it', async () => {
  await show({ state: 'asking' })
  screen.getByText('An object with this name exists')
  screen.getByRole('button', { name: 'Keep film.mov' })
  screen.getByRole('button', { name: 'Replace film.mov' })
})

test('a finished upload links to its object', async () => {
  await show({ state: 'done' })
  expect(screen.getByRole('link', { name: 'film.mov' }).getAttribute('href')).toBe('/object-browser/b/dir/film.mov')
})

test('uploads with the same name show their full path, also in the names of their buttons', async () => {
  const fields = { size: 1, lastModified: 0, sent: 0, kept: 0, rate: 0, state: 'running' as const }
  render(
    <UploadRow whole upload={{ kind: 'upload', id: '1', owner: 'o', bucket: 'b', key: 'dir/film.mov', ...fields }} />,
  )
  await screen.findByText('b/dir/')
  screen.getByRole('button', { name: 'Pause b/dir/film.mov' })
  screen.getByRole('button', { name: 'Cancel b/dir/film.mov' })
})

test('an upload that is retried automatically shows the reason and the time', async () => {
  const retry = { error: new ApiFailure(503, { message: 'server is busy' }), at: Date.now() + 3500 }
  await show({ state: 'running', sent: 0, retry })
  screen.getByText('Trying again in 4 seconds')
  screen.getByText('Server is busy')
})
