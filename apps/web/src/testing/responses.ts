import { vi } from 'vitest'

/** A request of the page under test. */
export interface SentRequest {
  method: string
  url: string
  body: unknown
}

/**
 * Answers the page's requests, by method and path without the query: `'GET /api/v1/users'`. Requests without an entry get 404.
 * Permissions are granted. Undone by `vi.unstubAllGlobals()`.
 * @returns the requests, in order
 */
export function answerRequests(answers: Record<string, (request: SentRequest) => unknown>): SentRequest[] {
  const sent: SentRequest[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: { method?: string; body?: string } = {}) => {
    const request = { method, url, body: body ? JSON.parse(body) : undefined }
    sent.push(request)
    const path = `${method} ${url.split('?')[0]}`
    const answer = answers[path] ?? PERMISSIONS[path]
    if (!answer) return Response.json({ message: `no answer for ${path}` }, { status: 404 })
    return Response.json((await answer(request)) ?? null)
  })
  return sent
}

const grantAll = ({ body }: SentRequest) => ({
  permissions: (body as { actions: { id: string }[] }).actions.map(({ id }) => ({ id, can: true, sure: true })),
})
const PERMISSIONS: Record<string, (request: SentRequest) => unknown> = {
  'POST /api/v1/has-permission': grantAll,
}
