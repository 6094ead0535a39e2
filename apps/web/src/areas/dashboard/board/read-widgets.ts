import type { Widget } from '@stowage/contract'
import { ApiFailure, asFailure, callLines } from '../../../lib/api/api.ts'
import type { BoardRange } from './board-range.ts'

type WidgetQuery = BoardRange['widgetQuery']

interface PendingRead {
  resolve: (widget: Widget) => void
  reject: (failure: unknown) => void
}

/** Widgets that are asked for at the same time, of one range. */
interface WidgetBatch {
  /** By widget, until its values arrive. */
  waiting: Map<number, Set<PendingRead>>
  stop: AbortController
}

const batches = new Map<string, WidgetBatch>()

/**
 * Reads a widget. The widgets that a tab asks for at the same time are one call, whose answer has each of them as soon as it is
 * ready, or its own failure.
 * @throws ApiFailure
 */
export function readWidget(id: number, query: WidgetQuery, signal: AbortSignal): Promise<Widget> {
  const { waiting, stop } = openBatch(query)
  return new Promise((resolve, reject) => {
    const own: PendingRead = { resolve, reject }
    const others = waiting.get(id) ?? new Set()
    waiting.set(id, others.add(own))
    signal.addEventListener('abort', () => {
      reject(signal.reason)
      others.delete(own)
      // The call ends when no widget waits for it.
      if ([...waiting.values()].every(({ size }) => size === 0)) stop.abort()
    })
  })
}

function openBatch(query: WidgetQuery): WidgetBatch {
  const key = JSON.stringify(query)
  const open = batches.get(key)
  if (open && !open.stop.signal.aborted) return open
  const batch: WidgetBatch = { waiting: new Map(), stop: new AbortController() }
  batches.set(key, batch)
  // Queries that start together do so before the next task.
  setTimeout(() => {
    if (batches.get(key) === batch) batches.delete(key)
    if (!batch.stop.signal.aborted) void readBatch(batch, query)
  })
  return batch
}

async function readBatch({ waiting, stop }: WidgetBatch, query: WidgetQuery): Promise<void> {
  const settle = (id: number, act: (each: PendingRead) => void) => {
    for (const each of waiting.get(id) ?? []) act(each)
    waiting.delete(id)
  }
  const failAll = (failure: unknown) => {
    for (const id of waiting.keys()) settle(id, ({ reject }) => reject(failure))
  }
  try {
    const ids = [...waiting.keys()].join(',')
    for await (const line of callLines('getWidgets', { query: { ...query, ids }, signal: stop.signal })) {
      if ('widget' in line) settle(line.id, ({ resolve }) => resolve(line.widget))
      else settle(line.id, ({ reject }) => reject(new ApiFailure(line.status, line.error)))
    }
    failAll(new ApiFailure(502, undefined))
  } catch (error) {
    failAll(asFailure(error))
  }
}
