import { createApiClient } from './client.ts'
import { fetchSend } from './send-request.ts'
import { loseSession } from './signed-out.ts'

export { ApiFailure, asFailure } from './api-failure.ts'

/** The API client of the pages. A 401 response, or no response at all, opens the sign-in page. */
export const { call, callBytes, callLines } = createApiClient(fetchSend, loseSession)
