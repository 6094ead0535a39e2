import { reason } from '@stowage/contract'
import { groupCalls } from '@stowage/contract/groups/groups'
import type { AdminGroup, Madmin } from '@stowage/madmin'
import { MadminError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import { requireNewThing, requireSameFields, settingQueue } from '../../lib/storage/setting-conflicts.ts'

export function groupRoutes(app: FastifyInstance): void {
  serve(app, groupCalls.listGroups, async (_input, { madmin }) => {
    const groups = await madmin.listGroups()
    return { groups, total: groups.length }
  })

  serve(app, groupCalls.createGroup, async ({ body }, { madmin }) => {
    const { group, members, create_only: createOnly } = body
    await settingQueue.run(`group/${group}`, async () => {
      await requireNewThing(createOnly, async () => await groupExists(madmin, group), {
        why: reason('group-exists', { group }),
        field: 'group',
        action: 'admin:GetGroup',
      })
      await madmin.addGroupMembers(group, members)
    })
  })

  serve(app, groupCalls.getGroup, async ({ query: { name } }, { madmin }) => wireGroup(await madmin.getGroup(name)))

  serve(app, groupCalls.updateGroup, async ({ query: { name }, body }, { madmin, noteBefore }) => {
    return await settingQueue.run(`group/${name}`, async () => {
      const group = await madmin.getGroup(name)
      const { members = group.members, status = group.status, before } = body
      requireSameFields(before, { members: group.members, status: group.status })
      await noteBefore(() => ({ members: group.members, status: group.status }))
      const added = members.filter((member) => !group.members.includes(member))
      const removed = group.members.filter((member) => !members.includes(member))
      // Add members first: if one does not exist, nothing has changed yet.
      if (added.length > 0) await madmin.addGroupMembers(name, added)
      if (removed.length > 0) await madmin.removeGroupMembers(name, removed)
      if (status !== group.status) await madmin.setGroupStatus(name, status)
      return wireGroup(await madmin.getGroup(name))
    })
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

/** A group without members exists too, so its name alone is asked for. */
async function groupExists(madmin: Madmin, name: string): Promise<boolean> {
  try {
    await madmin.getGroup(name)
    return true
  } catch (error) {
    if (error instanceof MadminError && error.code === 'XMinioAdminNoSuchGroup') return false
    throw error
  }
}

function wireGroup({ name, status, members, policies }: AdminGroup) {
  return { name, status, members: [...members], policy: policies.join(',') }
}
