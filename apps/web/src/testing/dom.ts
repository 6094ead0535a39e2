import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { PATIENCE_MS } from './eventually.ts'

configure({ asyncUtilTimeout: PATIENCE_MS })

// Provides APIs that Mantine needs and happy-dom lacks.
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}))

afterEach(cleanup)
