import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { WAIT_LIMIT_MS } from './eventually.ts'

configure({ asyncUtilTimeout: WAIT_LIMIT_MS })

// Provides APIs that Mantine needs and happy-dom lacks.
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}))

afterEach(cleanup)
