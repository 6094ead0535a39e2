import type { IncomingMessage, ServerResponse } from 'node:http'
import { findRepeatedHeader } from '@stowage/sigv4'
import { S3Error } from '../lib/errors.ts'
import { driveProbe } from '../lib/probe.ts'
import { requestOrigin } from '../requests/request-origin.ts'
import type { RequestRecord } from '../requests/request-recorder.ts'
import { parseRequestTarget } from '../requests/request-target.ts'
import { ADMIN_PREFIX, handleAdmin, handleKms, KMS_PREFIX } from './admin/admin-router.ts'
import { authenticateS3 } from './auth/authenticate.ts'
import { authorizeOperation } from './auth/authorize.ts'
import { answerPreflight, isPreflight, setCorsHeaders } from './auth/cors-headers.ts'
import { copyPresignedHeaders } from './auth/presigned-headers.ts'
import { StoreCall, type StoreServices } from './call/call.ts'
import { type ErrorAnswerForm, sendErrorAnswer } from './call/error-answer.ts'
import { HEALTH_PREFIX, handleHealth } from './health.ts'
import { handleMetrics, METRICS_PREFIX } from './metrics/handle-metrics.ts'
import { RESERVED_BUCKET } from './s3/buckets/bucket-name.ts'
import { takeCustomerKeys } from './s3/headers/encryption-headers.ts'
import { s3Operations } from './s3/s3-operations.ts'
import { S3Router } from './s3/s3-router.ts'
import { handleSts, isStsRequest } from './sts/handle-sts.ts'

const router = new S3Router(s3Operations)

/** Answers a request, even if it fails. Never throws. */
export async function handleRequest(
  store: StoreServices,
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  const record = store.recorder.start(request, response, requestOrigin(request, store))
  if (!driveProbe.isOn) return await answerRequest(store, record, request, response, expectsContinue)
  await driveProbe.within(record.id, () => answerRequest(store, record, request, response, expectsContinue))
}

async function answerRequest(
  store: StoreServices,
  record: RequestRecord,
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  let call: StoreCall | undefined
  let form: ErrorAnswerForm = 's3'
  try {
    const repeated = findRepeatedHeader(request.rawHeaders)
    if (repeated !== undefined) {
      throw new S3Error('InvalidRequest', `The request has the header ${repeated} more than once.`)
    }
    const target = parseRequestTarget(request.url ?? '/', request.headers.host, store.domains)
    call = new StoreCall(store, request, response, target, record, expectsContinue)
    setCorsHeaders(call)
    if (isPreflight(call)) {
      answerPreflight(call)
    } else if (target.path.startsWith(HEALTH_PREFIX)) {
      await handleHealth(call)
    } else if (target.path.startsWith(ADMIN_PREFIX)) {
      form = 'admin'
      await handleAdmin(call)
    } else if (target.path.startsWith(KMS_PREFIX)) {
      form = 'admin'
      await handleKms(call)
    } else if (target.path.startsWith(METRICS_PREFIX)) {
      form = 'admin'
      await handleMetrics(call)
    } else if (target.bucket === RESERVED_BUCKET && target.key !== '') {
      form = 'admin'
      throw new S3Error('NotImplemented', `The call ${target.path} is not supported.`)
    } else if (isStsRequest(call)) {
      form = 'sts'
      await handleSts(call)
    } else {
      await handleS3(call)
    }
  } catch (error) {
    sendErrorAnswer(
      {
        request,
        response,
        record,
        resource: call?.target.path ?? request.url ?? '',
        hostId: store.engine.deploymentId,
        log: store.log,
        bodyWithheld: call?.bodyWithheld ?? expectsContinue,
      },
      error,
      form,
    )
  }
}

async function handleS3(call: StoreCall): Promise<void> {
  call.record.bucket = call.bucket
  call.record.key = call.key
  call.store.requests.enter(call.response)
  await authenticateS3(call)
  copyPresignedHeaders(call)
  takeCustomerKeys(call)
  if (call.header('x-minio-extract')?.toLowerCase() === 'true')
    throw new S3Error('NotImplemented', 'Looking into archives is not supported.')
  const operation = router.find(call)
  call.record.operation = operation.name
  await authorizeOperation(call, operation)
  await operation.handle(call)
}
