import { type Api, scenario } from './support/scenario.ts'

const core = '/api/v1'

async function someMaps(api: Api, names = ['a', 'b', 'c', 'd', 'e']) {
  const ns = await api.namespace()
  const all = `${core}/namespaces/${ns}/secrets`
  for (const [n, name] of names.entries())
    await api.must('POST', all, {
      metadata: { name, labels: { odd: String(n % 2 === 1), ...(n > 2 ? { 'example.com/late': 'yes' } : {}) } },
      type: n === 0 ? 'example.com/first' : 'Opaque',
    })
  return { ns, all }
}

const names = (body: { items: { metadata: { name: string } }[] }) =>
  body.items?.map(({ metadata }) => metadata.name) ?? body

scenario('label selectors', async (api) => {
  const { all } = await someMaps(api)
  const selectors = [
    'odd=true',
    'odd==true',
    'odd!=true',
    'odd in (true,false)',
    'odd notin (true)',
    'example.com/late',
    '!example.com/late',
    'odd=true,example.com/late=yes',
    ' odd = true ',
    'odd in ( true , false ),!none',
    'none!=x',
    'none notin (x)',
    'odd=',
    'odd in ()',
    '',
    'odd>1',
    'odd>x',
    'odd=a b',
    'odd in true',
    'a/b/c=d',
    '=x',
    'odd,',
    'odd=true odd=false',
    `${'x'.repeat(64)}=a`,
    `odd=${'x'.repeat(64)}`,
  ]
  for (const selector of selectors)
    await api.step(selector, 'GET', `${all}?labelSelector=${encodeURIComponent(selector)}`, undefined, { pick: names })
})

scenario('field selectors', async (api) => {
  const { ns, all } = await someMaps(api)
  const step = (kind: string, selector: string) =>
    api.step(
      `${kind} ${selector}`,
      'GET',
      `${core}/namespaces/${ns}/${kind}?fieldSelector=${encodeURIComponent(selector)}`,
      undefined,
      {
        pick: names,
      },
    )
  for (const selector of [
    'metadata.name=a',
    'metadata.name!=a',
    'metadata.name==b',
    `metadata.namespace=${ns}`,
    'metadata.namespace=other',
    'metadata.name=a,metadata.name=b',
    'type=Opaque',
    'type!=Opaque',
    'data.k=v',
    'metadata.labels=a',
    'metadata.name',
    'metadata.name=',
    'metadata.name=a=b',
    ' metadata.name=a',
    '',
  ])
    await step('secrets', selector)
  await step('configmaps', 'metadata.name=kube-root-ca.crt')
  await step('configmaps', 'data=x')
  for (const selector of [
    'spec.nodeName=',
    'status.phase=Running',
    'status.podIP=',
    'spec.restartPolicy=Always',
    'spec.hostNetwork=true',
  ])
    await step('pods', selector)
  for (const selector of [
    'involvedObject.uid=x',
    'involvedObject.kind=Pod',
    'reason=x',
    'type=Normal',
    'source=x',
    'message=x',
  ])
    await step('events', selector)
  await step('persistentvolumeclaims', 'metadata.name=a')
  await step('persistentvolumeclaims', 'status.phase=Bound')
  await api.step(
    'a namespace by phase',
    'GET',
    `${core}/namespaces?fieldSelector=status.phase%3DTerminating%2Cmetadata.name%3D${ns}`,
    undefined,
    { pick: names },
  )
  await api.step(
    'nodes',
    'GET',
    `${core}/nodes?fieldSelector=spec.unschedulable%3Dtrue%2Cmetadata.name%3Dnone`,
    undefined,
    { pick: names },
  )
  await api.step(
    'by name across namespaces',
    'GET',
    `${core}/secrets?fieldSelector=metadata.name%3De%2Cmetadata.namespace%3D${ns}`,
    undefined,
    { pick: names },
  )
  await api.step('one object', 'GET', `${all}/a?fieldSelector=metadata.name%3Db`)
})

scenario('a list comes in pages of one moment', async (api) => {
  const { all } = await someMaps(api)
  const first = await api.step('first page', 'GET', `${all}?limit=2`)
  await api.must('DELETE', `${all}/c`)
  await api.must('POST', all, { metadata: { name: 'd2' } })
  const go = (answer: typeof first) => encodeURIComponent(answer.body.metadata.continue)
  const second = await api.step('second page, as it was', 'GET', `${all}?limit=2&continue=${go(first)}`)
  await api.step('last page', 'GET', `${all}?limit=2&continue=${go(second)}`)
  await api.step('the rest', 'GET', `${all}?continue=${go(first)}`, undefined, { pick: names })
  await api.step('now', 'GET', `${all}?limit=500`, undefined, { pick: names })
  api.note('all pages are of one version', {
    equal: first.body.metadata.resourceVersion === second.body.metadata.resourceVersion,
  })
  await api.step('with a selector', 'GET', `${all}?limit=1&labelSelector=odd`)
  await api.step('a page as large as the list', 'GET', `${all}?limit=5`, undefined, {
    pick: (body) => body.metadata.continue ?? 'no continue',
  })
  await api.step('limit 0', 'GET', `${all}?limit=0`, undefined, { pick: names })
  await api.step('a bad token', 'GET', `${all}?continue=abc`)
  await api.step('a token with a version', 'GET', `${all}?continue=${go(first)}&resourceVersion=1`)
  await api.step('a negative limit', 'GET', `${all}?limit=-1`, undefined, {
    pick: (body) => body.reason ?? names(body),
  })
  await api.step('a limit that is no number', 'GET', `${all}?limit=x`)
})

scenario('lists at a version', async (api) => {
  const { all } = await someMaps(api, ['a', 'b'])
  const { body } = await api.step('now', 'GET', all, undefined, { pick: names })
  const version = body.metadata.resourceVersion
  await api.step('not older than', 'GET', `${all}?resourceVersion=${version}`, undefined, { pick: names })
  await api.step('any', 'GET', `${all}?resourceVersion=0`, undefined, { pick: names })
  await api.must('POST', all, { metadata: { name: 'c' } })
  await api.step('exactly', 'GET', `${all}?resourceVersion=${version}&resourceVersionMatch=Exact`, undefined, {
    pick: names,
  })
  await api.step('a match without a version', 'GET', `${all}?resourceVersionMatch=Exact`)
  await api.step('an unknown match', 'GET', `${all}?resourceVersion=1&resourceVersionMatch=Odd`)
  await api.step('a version that is no number', 'GET', `${all}?resourceVersion=x`)
  await api.step('get at a version', 'GET', `${all}/a?resourceVersion=0`, undefined, {
    pick: (b) => b.metadata?.name ?? b,
  })
})

scenario('lists across namespaces are ordered by namespace, then name', async (api) => {
  const label = api.unique('mark')
  const spaces = [await api.namespace('one'), await api.namespace('two')].sort()
  for (const [ns, name] of [
    [spaces[1], 'a'],
    [spaces[0], 'b.a'],
    [spaces[0], 'b-a'],
    [spaces[0], 'a'],
    [spaces[0], 'b'],
  ])
    await api.must('POST', `${core}/namespaces/${ns}/secrets`, { metadata: { name, labels: { [label]: '' } } })
  const { body } = await api.send('GET', `${core}/secrets?labelSelector=${label}`)
  api.note(
    'order',
    body.items.map(
      ({ metadata }: { metadata: { name: string; namespace: string } }) =>
        `${spaces.indexOf(metadata.namespace)}/${metadata.name}`,
    ),
  )
})
