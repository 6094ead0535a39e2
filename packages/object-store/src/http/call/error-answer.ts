import type { IncomingMessage, ServerResponse } from 'node:http'
import { SignatureError } from '@stowage/sigv4'
import type { Logger } from 'pino'
import { S3Error } from '../../lib/errors.ts'
import { optionalXmlTag, XML_HEAD, xmlTag } from '../../lib/xml.ts'
import { type RequestRecord, recordAnswerHeaders } from '../../requests/request-recorder.ts'
import type { ResponseHeaders } from './call.ts'

/** The form of an error answer: S3's XML, the admin API's JSON, or STS's XML. */
export type ErrorAnswerForm = 's3' | 'admin' | 'sts'

/** An error as sent to the client. */
export interface ErrorAnswer {
  code: string
  status: number
  message: string
  detail: Record<string, string>
}

/** The data of a failed request that its answer needs. */
export interface FailedRequest {
  request: IncomingMessage
  response: ServerResponse
  record: RequestRecord
  /** Decoded path. */
  resource: string
  hostId: string
  log: Logger
  /** Whether the client waits for `100 Continue`, so that it will not send its body. */
  bodyWithheld: boolean
}

/** Converts an error. Known errors keep their code; others become InternalError, and their cause is only logged. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof S3Error) {
    return { code: error.code, status: error.status, message: error.message, detail: error.detail }
  }
  if (error instanceof SignatureError) {
    return { code: error.code, status: error.status, message: error.message, detail: {} }
  }
  return {
    code: 'InternalError',
    status: 500,
    message: 'We encountered an internal error, please try again.',
    detail: {},
  }
}

/** Answers a failed request. If the answer has already started, closes the connection so that the client notices. */
export function sendErrorAnswer(failed: FailedRequest, error: unknown, form: ErrorAnswerForm): void {
  const { request, response, record, log } = failed
  const failure = toErrorAnswer(error)
  record.errorCode = failure.code
  if (response.destroyed) return
  if (failure.status === 500) log.error({ err: error, requestId: record.id }, 'request failed')
  if (response.headersSent) {
    response.destroy()
    return
  }
  const headers: ResponseHeaders = {
    Server: 'Stowage',
    'x-amz-request-id': record.id,
    'X-Content-Type-Options': 'nosniff',
  }
  if (failure.status === 503) headers['Retry-After'] = failure.code === 'SlowDown' ? 1 : 60
  let body = ''
  if (request.method === 'HEAD' || failure.status === 304) {
    if (failure.status !== 304) {
      headers['X-Minio-Error-Code'] = failure.code
      headers['X-Minio-Error-Desc'] = JSON.stringify(failure.message).replace(/[^\x20-\x7e]/g, '?')
    }
  } else {
    body = FORMS[form].body(failure, failed)
    headers['Content-Type'] = FORMS[form].type
  }
  if (failure.status !== 304) headers['Content-Length'] = Buffer.byteLength(body)
  const unread = !request.complete
  if (unread) headers.Connection = 'close'
  recordAnswerHeaders(record, headers)
  response.writeHead(failure.status, headers)
  if (!unread || failed.bodyWithheld) response.end(body)
  else endAfterBody(request, response, body)
}

const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 5000

/**
 * Answers, then reads the rest of the body for a while, then closes the connection. Many clients read the answer only after
 * sending their body, and closing a connection with unread bytes resets it, which can lose the answer.
 */
function endAfterBody(request: IncomingMessage, response: ServerResponse, body: string): void {
  response.write(body === '' ? '\n' : body)
  let read = 0
  const finish = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(finish, DRAIN_MS)
  request.removeAllListeners('data')
  request.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > DRAIN_BYTES) finish()
  })
  request.once('end', finish)
  request.once('error', finish)
  request.once('close', finish)
  request.resume()
}

const FORMS: Record<ErrorAnswerForm, { type: string; body: (failure: ErrorAnswer, failed: FailedRequest) => string }> =
  {
    s3: {
      type: 'application/xml',
      body: ({ code, message, detail }, { record, resource, hostId }) =>
        `${XML_HEAD}<Error>${xmlTag('Code', code)}${xmlTag('Message', message)}` +
        Object.entries({ Key: record.key, BucketName: record.bucket, ...detail })
          .map(([name, text]) => optionalXmlTag(name, text))
          .join('') +
        `${xmlTag('Resource', resource)}${xmlTag('RequestId', record.id)}${xmlTag('HostId', hostId)}</Error>`,
    },
    admin: {
      type: 'application/json',
      body: ({ code, message }, { record, resource, hostId }) =>
        JSON.stringify({
          Code: code,
          Message: message,
          ...(record.bucket === '' ? {} : { BucketName: record.bucket }),
          Resource: resource,
          RequestId: record.id,
          HostId: hostId,
        }),
    },
    sts: {
      type: 'text/xml',
      body: ({ code, message }, { record }) =>
        `${XML_HEAD}<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type></Type>` +
        `${xmlTag('Code', code)}${xmlTag('Message', message)}</Error>${xmlTag('RequestId', record.id)}</ErrorResponse>`,
    },
  }
