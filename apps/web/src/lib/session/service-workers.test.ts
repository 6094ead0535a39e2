import { afterEach, expect, test, vi } from 'vitest'
import { removeServiceWorkers } from './service-workers.ts'

afterEach(() => vi.unstubAllGlobals())

test('every registration of a service worker is removed [SHL-53]', async () => {
  const registrations = [{ unregister: vi.fn() }, { unregister: vi.fn() }]
  vi.stubGlobal('navigator', { serviceWorker: { getRegistrations: async () => registrations } })
  await removeServiceWorkers()
  for (const registration of registrations) expect(registration.unregister).toHaveBeenCalledOnce()
})

test('a browser without service workers is supported', async () => {
  vi.stubGlobal('navigator', {})
  await expect(removeServiceWorkers()).resolves.toBeUndefined()
})
