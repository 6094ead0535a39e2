import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AuditConfig } from '../config/audit-settings.ts'
import type { AuditKeeper } from './search/audit-source.ts'
import { AuditStore } from './segments/audit-store.ts'

/** Opens the place where audit records are kept: the database if one is set, otherwise the data folder. */
export async function openAuditKeeper(
  { audit, data }: { audit: AuditConfig; data: string },
  log: Pick<Logger, 'warn'>,
): Promise<AuditKeeper> {
  if (audit.database === undefined) return new AuditStore(join(data, 'audit'), audit, log)
  // Consoles without a database do not need its client.
  const { AuditDatabase } = await import('./database/audit-database.ts')
  return new AuditDatabase({ url: audit.database, limits: audit, log })
}
