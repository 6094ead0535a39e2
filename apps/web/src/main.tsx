import './styles/tokens.css'
import './styles/mantine-parts.css'
import './styles/base.css'
import './styles/boot.css'
import './styles/mantine.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './lib/api/query.ts'
import { removeServiceWorkers } from './lib/session/service-workers.ts'
import { followSessionTabs } from './lib/session/session.ts'
import { startLanguage } from './lib/text/language.ts'
import { router } from './routes.tsx'
import { cssVariablesResolver, theme } from './theme.ts'
import { watchStyleSheets } from './ui/lazy/lazy-code.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

watchStyleSheets()
followSessionTabs()
await startLanguage()
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

// Rejected for insecure origins, which cannot have service workers either.
removeServiceWorkers().catch(() => undefined)
