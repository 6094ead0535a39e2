import type { IncomingMessage, ServerResponse } from 'node:http'
import { S3Error } from '../errors.ts'
import { probe } from '../probe.ts'
import { ADMIN_PREFIX, handleAdmin, handleKms, KMS_PREFIX } from './admin/router.ts'
import { authenticate } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { Call, type Store } from './call.ts'
import { answerPreflight, isPreflight, openToOrigins } from './cors.ts'
import { type FailureForm, sendFailure } from './failure.ts'
import { HEALTH_PREFIX, handleHealth } from './health.ts'
import { handleMetrics, METRICS_PREFIX } from './metrics/handle.ts'
import { originOf } from './origin.ts'
import { liftPresignedHeaders } from './presigned-headers.ts'
import type { RequestRecord } from './recorder.ts'
import { RESERVED } from './s3/bucket-name.ts'
import { takeCustomerKeys } from './s3/encryption.ts'
import { operations } from './s3/operations.ts'
import { S3Router } from './s3/router.ts'
import { handleSts, isStsRequest } from './sts/sts.ts'
import { parseTarget } from './target.ts'

const router = new S3Router(operations)

/** Answers a request, even if it fails. Never throws. */
export async function handleRequest(
  store: Store,
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  const record = store.recorder.start(request, response, originOf(request, store))
  if (!probe.isOn) return await answer(store, record, request, response, expectsContinue)
  await probe.within(record.id, () => answer(store, record, request, response, expectsContinue))
}

async function answer(
  store: Store,
  record: RequestRecord,
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  let call: Call | undefined
  let form: FailureForm = 's3'
  try {
    const target = parseTarget(request.url ?? '/', request.headers.host, store.domains)
    call = new Call(store, request, response, target, record, expectsContinue)
    openToOrigins(call)
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
    } else if (target.bucket === RESERVED && target.key !== '') {
      form = 'admin'
      throw new S3Error('NotImplemented', `The call ${target.path} is not supported.`)
    } else if (isStsRequest(call)) {
      form = 'sts'
      await handleSts(call)
    } else {
      await handleS3(call)
    }
  } catch (error) {
    sendFailure(
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

async function handleS3(call: Call): Promise<void> {
  call.record.bucket = call.bucket
  call.record.key = call.key
  call.store.requests.enter(call.response)
  await authenticate(call)
  liftPresignedHeaders(call)
  takeCustomerKeys(call)
  if (call.header('x-minio-extract')?.toLowerCase() === 'true')
    throw new S3Error('NotImplemented', 'Looking into archives is not supported.')
  const operation = router.find(call)
  call.record.operation = operation.name
  await authorize(call, operation)
  await operation.handle(call)
}
