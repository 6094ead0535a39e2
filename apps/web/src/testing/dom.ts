import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// What happy-dom lacks and Mantine asks for.
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}))

afterEach(cleanup)
