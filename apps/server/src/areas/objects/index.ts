import type { FastifyInstance } from 'fastify'
import { archiveRoutes } from './archive/archive-routes.ts'
import { acceptBase64Keys } from './base64-keys.ts'
import { downloadObjectRoutes } from './download/download-objects.ts'
import { changeJobRoutes } from './jobs/change-job.ts'
import { copyJobRoutes } from './jobs/copy-job.ts'
import { deleteObjectRoutes } from './jobs/delete-objects.ts'
import { restoreJobRoutes } from './jobs/restore-job.ts'
import { listObjectRoutes } from './listing/list-objects.ts'
import { rewindObjectRoutes } from './listing/rewind-objects.ts'
import { searchObjectRoutes } from './search/search-objects.ts'
import { shareObjectRoutes } from './share/share-objects.ts'
import { uploadFormRoutes } from './uploads/upload-form.ts'
import { uploadPartRoutes } from './uploads/upload-part-routes.ts'
import { objectDetailRoutes } from './versions/change-object.ts'
import { objectTextRoutes } from './versions/set-object-text.ts'

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
