import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render as renderInto } from '@testing-library/react'
import type { ReactNode } from 'react'
import '../lib/text/i18n.ts'
import { queryClient } from '../lib/api/query.ts'
import { browserHistory } from '../lib/navigation/navigate.ts'
import { theme } from '../theme.ts'

/** Renders a component with theme, query client and router, for unit tests in happy-dom. */
export function render(element: ReactNode) {
  const router = createRouter({ routeTree: createRootRoute({ component: () => element }), history: browserHistory })
  return renderInto(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}
