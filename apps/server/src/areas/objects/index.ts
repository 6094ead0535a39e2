import type { FastifyInstance } from 'fastify'
import { archiveRoutes } from './archive/routes.ts'
import { acceptBase64Keys } from './base64-keys.ts'
import { changeRoutes } from './change.ts'
import { changeJobRoutes } from './change-job.ts'
import { copyRoutes } from './copy-job.ts'
import { deleteRoutes } from './delete.ts'
import { downloadRoutes } from './download.ts'
import { listRoutes } from './list.ts'
import { partRoutes } from './parts.ts'
import { restoreRoutes } from './restore-job.ts'
import { rewindRoutes } from './rewind.ts'
import { searchRoutes } from './search.ts'
import { textRoutes } from './set-text.ts'
import { shareRoutes } from './share.ts'
import { uploadFormRoutes } from './upload-form.ts'

export function objectRoutes(app: FastifyInstance): void {
  app.register(async (scope) => {
    acceptBase64Keys(scope)
    listRoutes(scope)
    rewindRoutes(scope)
    searchRoutes(scope)
    changeRoutes(scope)
    textRoutes(scope)
    shareRoutes(scope)
    downloadRoutes(scope)
    archiveRoutes(scope)
    uploadFormRoutes(scope)
    partRoutes(scope)
    deleteRoutes(scope)
    copyRoutes(scope)
    restoreRoutes(scope)
    changeJobRoutes(scope)
  })
}
