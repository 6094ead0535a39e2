import { defineEndpoints } from '../call/endpoint.ts'

export const logEndpoints = defineEndpoints('logs', {
  consoleLog: { method: 'GET', path: '/ws/console', answer: 'socket', actions: ['admin:ConsoleLog'] },
  searchLogs: { method: 'GET', path: '/api/v1/logs/search', actions: ['admin:ConsoleLog'] },
  summarizeLogs: { method: 'GET', path: '/api/v1/logs/summary', actions: ['admin:ConsoleLog'] },
  exportLogs: { method: 'GET', path: '/api/v1/logs/export', answer: 'stream', actions: ['admin:ConsoleLog'] },
  followRequest: { method: 'GET', path: '/api/v1/requests/:id', actions: ['admin:ConsoleLog'] },
  getAuditReceiver: { method: 'GET', path: '/api/v1/audit/receiver', actions: ['admin:ConfigUpdate'] },
  recordAudit: {
    method: 'POST',
    writes: 'part',
    path: '/api/v1/audit/recording',
    answer: 'json',
    status: 200,
    actions: ['admin:ConfigUpdate'],
    changes: ['getAuditReceiver', 'getSession', 'getConfig'],
  },
  ingestAudit: {
    method: 'POST',
    writes: 'action',
    path: '/api/v1/audit/ingest',
    aliases: ['/api/ingest'],
    body: 'bytes',
    status: 200,
    access: 'anonymous',
    changes: ['searchLogs'],
  },
})
