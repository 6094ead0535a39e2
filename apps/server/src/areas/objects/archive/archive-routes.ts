import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { archiveCalls } from '@stowage/contract/objects/archives'
import type { FastifyInstance } from 'fastify'
import pLimit from 'p-limit'
import { contentDisposition, objectFileName } from '../../../lib/http/downloads/content-disposition.ts'
import { userContentPolicy } from '../../../lib/http/downloads/content-type.ts'
import { serve } from '../../../lib/http/serve.ts'
import { pipeBody } from '../../../lib/storage/direct-content.ts'
import { memberNamed, openArchive, openMember } from './open-archive.ts'

const OCTETS = 'application/octet-stream'

/** Lists the members of zip archives in buckets and downloads single members. */
export function archiveRoutes(app: FastifyInstance): void {
  // A directory may have 64 MiB, so at most four are read at the same time.
  const limit = pLimit(4)
  const open: typeof openArchive = (s3Stream, version) => limit(openArchive, s3Stream, version)

  serve(app, archiveCalls.listArchive, async ({ params, query }, { s3Stream }) => {
    const version = { bucket: params.bucket, key: query.prefix, versionId: query.version_id || undefined }
    const { members } = await open(s3Stream, version)
    const wanted = query.search.toLowerCase()
    const found = wanted === '' ? members : members.filter(({ name }) => name.toLowerCase().includes(wanted))
    return {
      members: found.slice(query.start, query.start + query.limit).map(({ name, size, modified, refused }) => ({
        name,
        size,
        ...(modified === '' ? {} : { modified }),
        ...(refused ? { refused } : {}),
      })),
      total: found.length,
    }
  })

  serve(app, archiveCalls.downloadArchiveMember, async ({ params, query }, { s3Stream, request, reply }) => {
    const version = { bucket: params.bucket, key: query.prefix, versionId: query.version_id || undefined }
    const archive = await open(s3Stream, version)
    const member = memberNamed(archive, query.member)
    reply
      .type(OCTETS)
      .header('content-length', member.size)
      .header('content-disposition', contentDisposition('attachment', objectFileName(member.name)))
      .header('content-security-policy', userContentPolicy(OCTETS))
      .header('cache-control', 'private, no-store')
    const content = request.method === 'HEAD' ? undefined : await openMember(s3Stream, version, archive, member)
    reply.hijack()
    const raw = reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    if (!content) raw.end()
    // If a member is damaged, end before the announced size, so that the download fails.
    else
      await pipeBody(Readable.from(content), raw).catch((error: unknown) => {
        reply.log.warn({ err: error }, 'could not read all of a member of an archive')
        raw.destroy()
      })
    return reply
  })
}
