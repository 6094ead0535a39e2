import { type Logger, pino } from 'pino'
import { logOptions, openLog, relayStoreOutput } from '../store-package/index.ts'

/** Query parameters with secrets: signatures and tokens of presigned URLs, and answers of an identity provider, with their state. */
const SECRET_QUERY =
  /([?&#](?:X-Amz-Signature|X-Amz-Security-Token|X-Amz-Credential|Signature|AWSAccessKeyId|(?:access_|id_|refresh_)?token|code|state|session_state|nonce|code_verifier|ticket|client_secret|password)=)[^&#\s"]*/gi

/** Control characters except line breaks and tabs: in a terminal they could move the cursor, or hide a line. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu

/** Returns a text for the log: redacts secrets in URLs, and escapes control characters. */
export function redactForLog(text: string): string {
  const shown = text.replace(CONTROLS, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return shown.replace(SECRET_QUERY, '$1[redacted]')
}

const REDACTED = [
  'authorization',
  'cookie',
  'set-cookie',
  'secretKey',
  'sessionToken',
  'secretAccessKey',
  'x-amz-security-token',
].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

export interface ProgramLog {
  /** The console's logger. Credentials are redacted. */
  logger: Logger
  /** Adds a line that the embedded store wrote. */
  relay: (line: string) => void
}

/**
 * Creates the program's log: lines of JSON, or readable lines for a terminal.
 * @param level `silent` writes nothing
 */
export async function createProgramLog(level: string, terminal: boolean): Promise<ProgramLog> {
  const stream = await openLog(terminal)
  const redact = { paths: REDACTED, censor: '[redacted]' }
  const logger = pino({ level, ...logOptions('console'), redact, serializers: { err: redactErrorForLog } }, stream)
  return { logger, relay: relayStoreOutput(stream) }
}

/**
 * Returns the parts of an error that may be logged. Its other members are left out, because they may contain a request with
 * headers.
 */
function redactErrorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? { code: String(error.code) } : {}
  return {
    type: error.name,
    message: redactForLog(error.message),
    ...code,
    stack: redactForLog(error.stack ?? ''),
    ...(error.cause instanceof Error ? { cause: redactForLog(error.cause.message) } : {}),
  }
}
