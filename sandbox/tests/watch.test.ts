import { scenario } from './support/scenario.ts'

const core = '/api/v1'

scenario('a watch gives each change once, in order', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/secrets`
  await api.must('POST', all, { metadata: { name: 'a' } })
  const { metadata } = await api.must('GET', all)
  await api.watch('from a list', `${all}?watch=true&resourceVersion=${metadata.resourceVersion}`, 4, async () => {
    await api.must('POST', all, { metadata: { name: 'b', labels: { x: '1' } } })
    await api.must('PUT', `${all}/b`, { metadata: { name: 'b', labels: { x: '2' } } })
    await api.must('PUT', `${all}/b`, { metadata: { name: 'b', labels: { x: '2' } } })
    await api.must('DELETE', `${all}/b`)
    await api.must('POST', all, { metadata: { name: 'c' } })
  })
  await api.watch('the past again', `${all}?watch=true&resourceVersion=${metadata.resourceVersion}`, 4)
  await api.watch('from the beginning', `${all}?watch=true`, 2)
  await api.watch('from anywhere', `${all}?watch=1&resourceVersion=0`, 2)
  await api.watch('of one object', `${all}?watch=true&fieldSelector=metadata.name%3Dc`, 1)
})

scenario('objects come into and leave a selection', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/secrets`
  await api.must('POST', all, { metadata: { name: 'a', labels: { in: 'no' } } })
  const { metadata } = await api.must('GET', all)
  const put = (value: string) => api.must('PUT', `${all}/a`, { metadata: { name: 'a', labels: { in: value } } })
  await api.watch(
    'changes',
    `${all}?watch=true&labelSelector=in%3Dyes&resourceVersion=${metadata.resourceVersion}`,
    5,
    async () => {
      await put('yes')
      await api.must('PUT', `${all}/a`, { metadata: { name: 'a', labels: { in: 'yes', more: '1' } } })
      await put('no')
      await put('yes')
      await api.must('DELETE', `${all}/a`)
    },
  )
})

scenario('watches end, and say so', async (api) => {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/secrets`
  await api.watch('after a second', `${all}?watch=true&timeoutSeconds=1`, 1)
  await api.watch('bookmarks', `${all}?watch=true&timeoutSeconds=1&allowWatchBookmarks=true`, 1)
  await api.step('a bad version', 'GET', `${all}?watch=true&resourceVersion=x`)
  await api.step('a bad selector', 'GET', `${all}?watch=true&labelSelector=%3D`)
  await api.step('one object by name', 'GET', `${all}/none?watch=true&timeoutSeconds=1`)
  await api.step(
    'initial events',
    'GET',
    `${all}?watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  )
  await api.step('of a list with continue', 'GET', `${all}?watch=true&continue=abc&timeoutSeconds=1`)
})
