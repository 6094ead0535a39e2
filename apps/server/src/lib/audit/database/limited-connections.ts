import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, type Pool } from 'pg'

/**
 * The connections of a pool, each of whose queries ends after a time. A connection whose query failed without an answer of the
 * database is not used again, because that answer could still come.
 */
export class LimitedConnections implements PostgresPool {
  readonly #pool: Pool
  readonly #timeoutMs: number

  constructor(pool: Pool, timeoutMs: number) {
    this.#pool = pool
    this.#timeoutMs = timeoutMs
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect()
    let broken: unknown
    const query = async (text: string, values: readonly unknown[]) => {
      if (broken !== undefined) throw broken
      // The types of `pg` do not have the limit of one query.
      const limited = { text, values: [...values], query_timeout: this.#timeoutMs }
      try {
        return await client.query(limited)
      } catch (error) {
        if (!(error instanceof DatabaseError)) broken = error
        throw error
      }
    }
    return {
      // The second form is for cursors, which are not used.
      query: query as unknown as PostgresPoolClient['query'],
      release: () => client.release(broken !== undefined),
    }
  }

  async end(): Promise<void> {}
}
