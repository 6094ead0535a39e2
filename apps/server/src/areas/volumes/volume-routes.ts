import { volumeCalls } from '@stowage/contract/volumes/volumes'
import { resources, TENANT_LABEL } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import { serveOperator } from '../../lib/http/serve.ts'
import { formatDrives, listDrives, listDriveVolumes } from '../tenants/cluster/local-drives.ts'
import { listInNamespaces } from '../tenants/kube-objects/list-in-namespaces.ts'
import { wireVolume } from '../tenants/pods/pod-routes.ts'

export function volumeRoutes(app: FastifyInstance): void {
  serveOperator(app, volumeCalls.listVolumes, async ({ query }, { kube, signal }) => {
    const selection = { labelSelector: TENANT_LABEL, signal }
    const claims = await listInNamespaces(kube, resources.persistentVolumeClaims, query.namespaces, selection)
    return { pvcs: claims.map(wireVolume) }
  })

  serveOperator(app, volumeCalls.listDrives, async (_input, { kube, signal }) => await listDrives(kube, signal))

  serveOperator(app, volumeCalls.listDriveVolumes, async (_input, { kube, signal }) => {
    return { volumes: await listDriveVolumes(kube, signal) }
  })

  serveOperator(app, volumeCalls.formatDrives, async ({ body }, { kube, signal }) => {
    return { formatIssuesList: await formatDrives(kube, body, signal) }
  })
}
