import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { type Api, scenario, target } from './support/scenario.ts'

const core = '/api/v1'

/** A kubelet that writes the request it got, to test how each option is passed. */
const kubelet = createServer({
  ...target.kubelet,
  requestCert: true,
  rejectUnauthorized: true,
})
let answer: (request: IncomingMessage, response: ServerResponse) => void
kubelet.on('request', (request, response) => answer(request, response))
beforeAll(async () => {
  kubelet.listen(0, '127.0.0.1')
  await once(kubelet, 'listening')
})
afterAll(() => void kubelet.close())

async function podOnNode(api: Api, containers = ['minio']) {
  const ns = await api.namespace()
  const node = api.unique('node')
  api.atEnd('DELETE', `${core}/nodes/${node}`)
  const { port } = kubelet.address() as AddressInfo
  api.normalizer.mask(`127.0.0.1:${port}`, '<kubelet>')
  await api.must('POST', `${core}/nodes`, {
    metadata: { name: node },
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    },
  })
  await api.must('POST', `${core}/namespaces/${ns}/pods`, {
    metadata: { name: 'a' },
    spec: {
      nodeName: node,
      initContainers: [{ name: 'init', image: 'x' }],
      containers: containers.map((name) => ({ name, image: 'x' })),
    },
  })
  return { ns, log: `${core}/namespaces/${ns}/pods/a/log` }
}

scenario('a log needs a container where there are several, and a node', async (api) => {
  const { ns, log } = await podOnNode(api, ['minio', 'sidecar'])
  await api.step('which one', 'GET', log)
  await api.must('POST', `${core}/namespaces/${ns}/pods`, {
    metadata: { name: 'waiting' },
    spec: { containers: [{ name: 'minio', image: 'x' }] },
  })
  await api.step('no node', 'GET', `${core}/namespaces/${ns}/pods/waiting/log`)
  await api.must('POST', `${core}/namespaces/${ns}/pods`, {
    metadata: { name: 'lost' },
    spec: { nodeName: 'node-of-nobody', containers: [{ name: 'minio', image: 'x' }] },
  })
  await api.step('a node that is not there', 'GET', `${core}/namespaces/${ns}/pods/lost/log`)
})

// Only a test with the authority of the cluster's kubelets can answer in place of one.
if (target.kubelet) {
  scenario('a log comes from the node of its pod', async (api) => {
    const { log } = await podOnNode(api)
    answer = (request, response) => response.end(`asked: ${request.method} ${request.url}\n`)
    const masked = { pick: (body: string) => body }
    await api.step('plain', 'GET', log, undefined, masked)
    await api.step(
      'with options',
      'GET',
      `${log}?container=minio&tailLines=10&timestamps=true&sinceSeconds=60&previous=true&limitBytes=1000`,
      undefined,
      masked,
    )
    await api.step('an init container', 'GET', `${log}?container=init`, undefined, masked)
    await api.step('a container that is not there', 'GET', `${log}?container=none`)
    await api.step('a negative tail', 'GET', `${log}?tailLines=-1`)
    await api.step('no number', 'GET', `${log}?tailLines=x`)
    await api.step('two beginnings', 'GET', `${log}?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z`)
    await api.step('no pod', 'GET', log.replace('/a/', '/none/'))
    await api.step('POST', 'POST', log, {})
    answer = (_request, response) => {
      response.statusCode = 404
      response.end('pods "a" not found')
    }
    await api.step('the node does not know it', 'GET', log)
    answer = (_request, response) => {
      response.statusCode = 500
      response.end('broken')
    }
    await api.step('the node fails', 'GET', log)
    answer = (_request, response) => {
      response.statusCode = 400
      response.end('container "minio" in pod "a" is waiting to start: ContainerCreating')
    }
    await api.step('not started yet', 'GET', log)
  })

  scenario('one container of several is asked for', async (api) => {
    const { log } = await podOnNode(api, ['minio', 'sidecar'])
    answer = (request, response) => response.end(`${request.url}\n`)
    await api.step('this one', 'GET', `${log}?container=sidecar`, undefined, { pick: (body) => body })
  })

  scenario('a log is followed as it is written', async (api) => {
    const { log } = await podOnNode(api)
    const { request } = await import('undici')
    const { Agent } = await import('undici')
    const agent = new Agent({ connect: { ca: target.ca } })
    let response: ServerResponse | undefined
    let gone = false
    answer = (_request, each) => {
      response = each
      each.write('first\n')
      each.on('close', () => (gone = true))
    }
    const end = new AbortController()
    const { body } = await request(`${target.server}${log}?follow=true`, {
      dispatcher: agent,
      signal: end.signal,
      headers: { authorization: `Bearer ${target.token}` },
    })
    const reader = body[Symbol.asyncIterator]()
    api.note('at once', String((await reader.next()).value))
    response?.write('second\n')
    api.note('then', String((await reader.next()).value))
    end.abort()
    await reader.next().catch(() => {})
    const deadline = Date.now() + 10_000
    while (!gone && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
    api.note('the node learns that nobody reads', gone)
    await agent.destroy()
  })
}
