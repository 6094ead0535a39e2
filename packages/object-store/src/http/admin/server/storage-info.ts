import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { backendInfo } from './erasure-layout.ts'
import { wireDrive } from './server-info.ts'

export const storageInfoEndpoint: AdminEndpoint = {
  name: 'StorageInfo',
  method: 'GET',
  path: 'storageinfo',
  handle(call) {
    call.json({ Disks: call.engine.drives().map(wireDrive), Backend: backendInfo(call.engine) })
  },
}
