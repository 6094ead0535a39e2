import { reason } from '@stowage/contract'
import { findConfigForm } from '@stowage/contract/configs/config-forms'
import { configCalls } from '@stowage/contract/configs/configs'
import { type Madmin, readConfigText } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { settingQueue } from '../../lib/storage/setting-conflicts.ts'
import { requireRights } from '../admin/widget-routes.ts'
import { changeConfig, configRefusal, requireTargetVersion } from './change-config.ts'
import { importForBrowser, planConfigImport } from './config-import-plan.ts'
import {
  findSubsystem,
  readTargets,
  requireSubsystem,
  shownValues,
  targetVersion,
  unsupportedSubsystem,
} from './config-subsystems.ts'
import { configWithoutSecrets } from './export-config.ts'
import { isSecretKey, withoutPassword } from './hidden-passwords.ts'
import { applyImport } from './import-config.ts'
import { type ConfigClients, deleteConfigTarget, isTargetEnabled } from './pending-targets.ts'
import { ServerRestarts } from './restart-storage-server.ts'

export function configRoutes(app: FastifyInstance): void {
  serve(app, configCalls.listConfigs, async (_input, { madmin }) => {
    const { keys } = await madmin.configHelp('')
    const configurations = keys.map(({ key, description, multipleTargets }) => ({ key, description, multipleTargets }))
    return { configurations, total: configurations.length }
  })

  serve(app, configCalls.getConfig, async ({ params: { name } }, clients) => await readConfig(clients, name))

  serve(app, configCalls.setConfig, async ({ params: { name }, body }, clients) => {
    const { key_values: values, arn_resource_id: target = '_', version, create_only: createOnly } = body
    return await changeConfig(clients, { name, target, values, version, createOnly })
  })

  serve(app, configCalls.resetConfig, async ({ params: { name }, body }, clients) => {
    const { arn_resource_id: target = '_', version } = body
    const subsystem = await requireSubsystem(clients.madmin, name)
    return await settingQueue.run(`config/${name}:${target}`, async () => {
      await requireTargetVersion(clients, subsystem, { target, version })
      return await deleteConfigTarget(clients, subsystem.serverName, target)
    })
  })

  serve(app, configCalls.exportConfigs, async ({ query: { secrets } }, { madmin }) => {
    const text = await madmin.getFullConfig()
    return { value: Buffer.from(secrets === 'true' ? text : configWithoutSecrets(text)).toString('base64') }
  })

  serve(app, configCalls.previewConfigImport, async ({ body }, { madmin }) => {
    const { imports, problems, version } = await planConfigImport(madmin, decodeBase64Text(body.value))
    return { changes: imports.map(importForBrowser), problems: [...problems], version }
  })

  serve(app, configCalls.importConfigs, async ({ body }, { session, log, detached }) => {
    const { value, remove = false, version } = body
    // Detached: an import is completed or undone even if the caller disconnects.
    const { madmin } = detached()
    const plan = await planConfigImport(madmin, decodeBase64Text(value))
    if (version !== undefined && version !== plan.version) throw new HttpError(409, reason('config-changed'))
    return await applyImport(madmin, plan, { remove, atomic: session.capabilities.includes('aws-policies'), log })
  })

  serve(app, configCalls.listConfigHistory, async (_input, { madmin }) => {
    const entries = (await madmin.listConfigHistory()).map(({ id, time, user, data }) => ({
      id,
      ...(time === undefined ? {} : { time }),
      ...(user === undefined ? {} : { user }),
      changes: historyChanges(data),
    }))
    return { entries: entries.reverse() }
  })

  serve(app, configCalls.clearConfigHistory, async (_input, { madmin }) => {
    await madmin.clearConfigHistory('all')
  })

  serve(app, configCalls.restoreConfigHistory, async ({ params: { id } }, { madmin }) => {
    try {
      const without_secrets = await secretsToEnter(madmin, id)
      return { ...(await madmin.restoreConfigHistory(id)), without_secrets }
    } catch (error) {
      throw configRefusal(error, [])
    }
  })

  const restarts = new ServerRestarts()
  serve(app, configCalls.restartService, async (_input, context) => {
    if (await restarts.joinRunning()) {
      await requireRights(app, context, configCalls.restartService.endpoint.actions)
    } else await restarts.start(context.madmin, context.signal)
  })
}

/** Returns the targets that an entry of the history brings back, with the secrets that they can have: the entry has none. */
async function secretsToEnter(madmin: Madmin, id: string) {
  const entry = (await madmin.listConfigHistory()).find((each) => each.id === id)
  const found: { name: string; target: string; keys: string[] }[] = []
  for (const { subsystem: name, target, values } of readConfigText(entry?.data ?? '')) {
    const subsystem = values.size === 0 ? undefined : await findSubsystem(madmin, name)
    if (!subsystem) continue
    const present = readConfigText(await madmin.getConfig(subsystem.serverName)).find(
      (each) => each.subsystem === name && each.target === target,
    )
    const keys = subsystem.help.keys.map(({ key }) => key).filter(isSecretKey)
    const isBack = present === undefined || (target === '_' && !isTargetEnabled(present))
    if (isBack && keys.length > 0) found.push({ name, target, keys })
  }
  return found
}

async function readConfig(clients: ConfigClients, name: string) {
  const subsystem = await findSubsystem(clients.madmin, name)
  if (!subsystem) {
    // Forms of the original console that this server does not support are still shown.
    const form = findConfigForm(name)
    if (!form) throw unsupportedSubsystem(name)
    const key_values = form.map(({ key }) => ({ key, unsupported: true }))
    return { name, key_values, targets: [], multipleTargets: false, supported: false }
  }
  const targets = await readTargets(clients, subsystem)
  return {
    name,
    key_values: shownValues(
      subsystem,
      targets.find(({ target }) => target === '_'),
    ),
    targets: targets.map((target) => ({
      target: target.target,
      enabled: isTargetEnabled(target),
      key_values: shownValues(subsystem, target),
      notes: [...target.notes],
      version: targetVersion(target),
      ...(target.waiting && { waiting: true }),
    })),
    multipleTargets: subsystem.help.multipleTargets,
    supported: true,
  }
}

/** Returns the settings in a configuration text, without secrets. */
function historyChanges(text: string) {
  return readConfigText(text).map(({ subsystem, target, values }) => ({
    name: subsystem,
    target,
    key_values: [...values].map(([key, value]) => ({
      key,
      value: isSecretKey(key) ? '' : withoutPassword(key, value),
    })),
  }))
}

const decodeBase64Text = (base64: string) => Buffer.from(base64, 'base64').toString('utf8')
