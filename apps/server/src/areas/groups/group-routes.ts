import { groupCalls } from '@stowage/contract/groups/groups'
import type { AdminGroup } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'

export function groupRoutes(app: FastifyInstance): void {
  serve(app, groupCalls.listGroups, async (_input, { madmin }) => {
    const groups = await madmin.listGroups()
    return { groups, total: groups.length }
  })

  serve(app, groupCalls.createGroup, async ({ body: { group, members } }, { madmin }) => {
    await madmin.addGroupMembers(group, members)
  })

  serve(app, groupCalls.getGroup, async ({ query: { name } }, { madmin }) => wireGroup(await madmin.getGroup(name)))

  serve(app, groupCalls.updateGroup, async ({ query: { name }, body: { members, status } }, { madmin, noteBefore }) => {
    const group = await madmin.getGroup(name)
    await noteBefore(() => ({ members: group.members, status: group.status }))
    const added = members.filter((member) => !group.members.includes(member))
    const removed = group.members.filter((member) => !members.includes(member))
    // Add members first: if one does not exist, nothing has changed yet.
    if (added.length > 0) await madmin.addGroupMembers(name, added)
    if (removed.length > 0) await madmin.removeGroupMembers(name, removed)
    if (status !== group.status) await madmin.setGroupStatus(name, status)
    return wireGroup(await madmin.getGroup(name))
  })

  serve(app, groupCalls.deleteGroup, async ({ query: { name, remove_members } }, { madmin, noteBefore }) => {
    if (remove_members) {
      const { members } = await madmin.getGroup(name)
      await noteBefore(() => ({ members }))
      if (members.length > 0) await madmin.removeGroupMembers(name, members)
    }
    await madmin.removeGroup(name)
  })
}

function wireGroup({ name, status, members, policies }: AdminGroup) {
  return { name, status, members: [...members], policy: policies.join(',') }
}
