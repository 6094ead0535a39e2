import type { FastifyInstance } from 'fastify'
import { deleteRoutes } from './delete.ts'
import { downloadRoutes } from './download.ts'
import { listRoutes } from './list.ts'
import { partRoutes } from './parts.ts'
import { uploadFormRoutes } from './upload-form.ts'

export function objectRoutes(app: FastifyInstance): void {
  listRoutes(app)
  downloadRoutes(app)
  uploadFormRoutes(app)
  partRoutes(app)
  deleteRoutes(app)
}
