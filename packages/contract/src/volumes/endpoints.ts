import { defineEndpoints } from '../call/endpoint.ts'

const operator = { mode: 'operator' } as const

export const volumeEndpoints = defineEndpoints('volumes', {
  listVolumes: { method: 'GET', path: '/api/v1/list-pvcs', ...operator },
  listDrives: { method: 'GET', path: '/api/v1/direct-csi/drives', aliases: ['/api/v1/directpv/drives'], ...operator },
  listDriveVolumes: {
    method: 'GET',
    path: '/api/v1/direct-csi/volumes',
    aliases: ['/api/v1/directpv/volumes'],
    ...operator,
  },
  formatDrives: {
    method: 'POST',
    writes: 'action',
    path: '/api/v1/direct-csi/drives/format',
    aliases: ['/api/v1/directpv/drives/format'],
    status: 200,
    answer: 'json',
    ...operator,
    changes: ['listDrives', 'listDriveVolumes'],
  },
})
