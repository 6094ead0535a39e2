import type { AreaExamples } from '../call/area-examples.ts'
import type { logEndpoints } from './endpoints.ts'

export const logExamples: AreaExamples<typeof logEndpoints> = {
  consoleLog: { query: { logType: 'all' } },
  searchLogs: { query: { q: 'reqinfo', fp: 'bucket:photos', pageSize: 100, pageNo: 0, order: 'timeDesc' } },
  summarizeLogs: { query: { fp: 'user:alice' } },
  exportLogs: { query: { format: 'csv', fp: 'bucket:photos' } },
  followRequest: { params: { id: '17F1A2B3C4D5E6F7' } },
  getAuditReceiver: { query: { source: 'north' } },
  recordAudit: { body: { address: 'https://console.example.com', source: 'north', wait: 0 } },
  ingestAudit: { query: { token: 'bm9ydGg.c2lnbmF0dXJl' } },
}
