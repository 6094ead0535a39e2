import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'

/** Query values that are secrets: signatures and tokens of presigned addresses. */
const SECRET_QUERY =
  /([?&](?:X-Amz-Signature|X-Amz-Security-Token|X-Amz-Credential|Signature|AWSAccessKeyId|access_token|token)=)[^&#\s"]*/gi

/** A text without the secrets that addresses carry. */
export function withoutSecrets(text: string): string {
  return text.replace(SECRET_QUERY, '$1[redacted]')
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

/**
 * The console's log: a line of JSON each, or for a terminal, readable ones. Credentials never reach it.
 * @param level `silent` writes nothing
 */
export async function createLogger(level: string, terminal: boolean): Promise<Logger> {
  const options: LoggerOptions = {
    level,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: { err: errorForLog },
  }
  if (!terminal) return pino(options)
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname,req,reqId', sync: true }))
}

/** What is told of an error; its own members stay out, they may hold a request with its headers. */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? { code: String(error.code) } : {}
  return {
    type: error.name,
    message: withoutSecrets(error.message),
    ...code,
    stack: withoutSecrets(error.stack ?? ''),
    ...(error.cause instanceof Error ? { cause: withoutSecrets(error.cause.message) } : {}),
  }
}
