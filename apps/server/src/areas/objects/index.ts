import type { FastifyInstance } from 'fastify'
import { archiveRoutes } from './archive/routes.ts'
import { acceptBase64Keys } from './base64-keys.ts'
import { objectDetailRoutes } from './change.ts'
import { changeJobRoutes } from './change-job.ts'
import { copyJobRoutes } from './copy-job.ts'
import { deleteObjectRoutes } from './delete.ts'
import { downloadObjectRoutes } from './download.ts'
import { listObjectRoutes } from './list.ts'
import { uploadPartRoutes } from './parts.ts'
import { restoreJobRoutes } from './restore-job.ts'
import { rewindObjectRoutes } from './rewind.ts'
import { searchObjectRoutes } from './search.ts'
import { objectTextRoutes } from './set-text.ts'
import { shareObjectRoutes } from './share.ts'
import { uploadFormRoutes } from './upload-form.ts'

export function objectRoutes(app: FastifyInstance): void {
  app.register(async (scope) => {
    acceptBase64Keys(scope)
    listObjectRoutes(scope)
    rewindObjectRoutes(scope)
    searchObjectRoutes(scope)
    objectDetailRoutes(scope)
    objectTextRoutes(scope)
    shareObjectRoutes(scope)
    downloadObjectRoutes(scope)
    archiveRoutes(scope)
    uploadFormRoutes(scope)
    uploadPartRoutes(scope)
    deleteObjectRoutes(scope)
    copyJobRoutes(scope)
    restoreJobRoutes(scope)
    changeJobRoutes(scope)
  })
}
