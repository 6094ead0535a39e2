import { createClient } from './client.ts'
import { fetchSend } from './send.ts'
import { loseSession } from './signed-out.ts'

export { ApiFailure, asFailure } from '../failure.ts'
export { addressOf } from './client.ts'

/** The calls of the pages. One that is not answered, or answered 401, leads to the sign-in page. */
export const { call, callLines } = createClient(fetchSend, loseSession)
