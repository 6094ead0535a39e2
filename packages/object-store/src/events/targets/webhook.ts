import { MAX_WEBHOOK_REQUESTS, type OpenTarget } from './open-target.ts'

/** Sends each event as a JSON POST; a success status means accepted. */
export const openWebhook: OpenTarget = ({ arn, values, egress }) => {
  const { endpoint = '', auth_token: token = '' } = values
  const headers: Record<string, string> = { 'content-type': 'application/json', 'user-agent': 'Stowage' }
  if (token !== '') headers.authorization = token.includes(' ') ? token : `Bearer ${token}`
  return {
    arn,
    window: MAX_WEBHOOK_REQUESTS,
    async send(message, signal) {
      await egress.request(endpoint, { method: 'POST', headers, body: message, signal })
    },
    async close() {},
  }
}
