import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { archiveCalls } from '@stowage/contract/objects/archives'
import type { FastifyInstance } from 'fastify'
import { contentDisposition, objectFileName } from '../../../lib/http/downloads/content-disposition.ts'
import { userContentPolicy } from '../../../lib/http/downloads/content-type.ts'
import type { SessionContext } from '../../../lib/http/handler.ts'
import { serve } from '../../../lib/http/serve.ts'
import { pipeBody } from '../../../lib/storage/direct-content.ts'
import type { ParserTask } from '../../../lib/threads/parser-task.ts'
import type { ObjectVersionReference } from '../details/object-details.ts'
import { type ArchiveProblem, findArchiveMember, listArchiveMembers } from './archive-tasks.ts'
import { type ArchiveDirectoryBytes, archiveFailure, openArchive, openMember, requireMember } from './open-archive.ts'

const OCTETS = 'application/octet-stream'

/** Lists the members of zip archives in buckets and downloads single members. */
export function archiveRoutes(app: FastifyInstance): void {
  /** Reads a directory when it is the caller's turn, and gives it to a task in a worker thread. */
  async function readArchive<Options, Output extends object>(
    { s3Stream, request, signal }: Pick<SessionContext, 's3Stream' | 'request' | 'signal'>,
    version: ObjectVersionReference,
    task: ParserTask<Pick<ArchiveDirectoryBytes, 'place'> & { bytes: Uint8Array } & Options, Output | ArchiveProblem>,
    options: Options,
  ): Promise<{ found: Output; archive: Omit<ArchiveDirectoryBytes, 'bytes'> }> {
    let archive: Omit<ArchiveDirectoryBytes, 'bytes'> | undefined
    const found = await app.parserThreads.run(
      app.requireSession(request).user,
      task,
      async () => {
        const { bytes, ...rest } = await openArchive(s3Stream, version)
        archive = rest
        // A copy, because small buffers are parts of a pool that others use. `Uint8Array.from` would take 100 ms for 18 MB.
        const input = { ...options, bytes: new Uint8Array(bytes), place: rest.place }
        return { input, transfer: [input.bytes.buffer] }
      },
      signal,
    )
    if ('problem' in found) throw archiveFailure(found.problem)
    if (!archive) throw new Error('the directory was not read')
    return { found, archive }
  }

  serve(app, archiveCalls.listArchive, async ({ params, query }, context) => {
    const version = { bucket: params.bucket, key: query.prefix, versionId: query.version_id || undefined }
    const { search, start, limit } = query
    return (await readArchive(context, version, listArchiveMembers, { search, start, limit })).found
  })

  serve(app, archiveCalls.downloadArchiveMember, async ({ params, query }, context) => {
    const { s3Stream, request, reply } = context
    const version = { bucket: params.bucket, key: query.prefix, versionId: query.version_id || undefined }
    const { found, archive } = await readArchive(context, version, findArchiveMember, { member: query.member })
    const member = requireMember(found.member)
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
