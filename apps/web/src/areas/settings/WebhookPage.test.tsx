// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../lib/api/query.ts'
import { browserHistory } from '../../lib/navigation/navigate.ts'
import { eventually } from '../../testing/eventually.ts'
import { render } from '../../testing/render.tsx'
import { answerRequests } from '../../testing/responses.ts'
import { WebhookPage } from './WebhookPage.tsx'

beforeEach(() => {
  queryClient.clear()
  queryClient.setQueryData(['getSession', {}], { user: 'root', capabilities: [], pages: [] })
})
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['logger', 'Logger Webhook'],
  ['audit', 'Audit Webhook'],
])('/webhook/%s reads its own subsystem [WHK-01]', async (kind, title) => {
  browserHistory.replace(`/webhook/${kind}`)
  const webhooks = () => ({ targets: [], key_values: [] })
  const sent = answerRequests({
    'GET /api/v1/configs/logger_webhook': webhooks,
    'GET /api/v1/configs/audit_webhook': webhooks,
  })
  render(<WebhookPage kind={kind} />)
  await screen.findByRole('heading', { name: title })
  const reads = () => sent.map(({ url }) => url).filter((url) => url.startsWith('/api/v1/configs/'))
  await eventually(() => expect(new Set(reads())).toEqual(new Set([`/api/v1/configs/${kind}_webhook`])))
})

test('any other kind shows nothing [WHK-01]', async () => {
  const sent = answerRequests({})
  render(<WebhookPage kind="logs" />)
  await eventually(() => expect(document.querySelector('body > div')).not.toBeNull())
  expect(screen.queryByRole('heading')).toBeNull()
  expect(sent).toEqual([])
})
