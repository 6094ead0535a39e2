import { volumeCalls } from '@stowage/contract/volumes/volumes'
import { resources, TENANT_LABEL } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import { serveOperator } from '../../lib/http/serve.ts'
import { volumeOf } from '../tenants/pods.ts'
import { formatDrives, listDrives, listDriveVolumes } from './drives.ts'

export function volumeRoutes(app: FastifyInstance): void {
  serveOperator(app, volumeCalls.listVolumes, async (_input, { kube, signal }) => {
    const { objects } = await kube.list(resources.persistentVolumeClaims, { labelSelector: TENANT_LABEL, signal })
    return { pvcs: objects.map(volumeOf) }
  })

  serveOperator(app, volumeCalls.listDrives, async (_input, { kube, signal }) => ({
    drives: await listDrives(kube, signal),
  }))

  serveOperator(app, volumeCalls.listDriveVolumes, async (_input, { kube, signal }) => {
    return { volumes: await listDriveVolumes(kube, signal) }
  })

  serveOperator(app, volumeCalls.formatDrives, async ({ body }, { kube, signal }) => {
    return { formatIssuesList: await formatDrives(kube, body, signal) }
  })
}
