/** Query parameters with which a provider redirects back to the console. */
export interface SignInCallback {
  code: string
  state: string
  iss?: string
}

/**
 * Signs in at the test provider like a browser: follows redirects, keeps cookies, submits forms.
 * @param start URL of the console that starts the sign-in
 * @returns what the provider sends to the callback, and the cookies of the console
 */
export async function signInAtProvider(start: string, name: string): Promise<{ sent: SignInCallback; cookie: string }> {
  const jars = new Map<string, Map<string, string>>()
  const cookieJar = (url: URL) => jars.get(url.origin) ?? jars.set(url.origin, new Map()).get(url.origin) ?? new Map()
  const cookieHeader = (url: URL) => [...cookieJar(url)].map(([key, value]) => `${key}=${value}`).join('; ')
  const visit = async (url: URL, form?: Record<string, string>) => {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: cookieHeader(url) },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookieJar(url).delete(key)
      else cookieJar(url).set(key, value)
    }
    return answer
  }
  const origin = new URL(start).origin
  let url = new URL(start)
  let answer = await visit(url)
  for (let step = 0; step < 12; step++) {
    const next = answer.headers.get('location')
    if (next !== null) {
      url = new URL(next, url)
      if (url.origin === origin) {
        const sent = Object.fromEntries(url.searchParams) as unknown as SignInCallback
        return { sent, cookie: cookieHeader(new URL(origin)) }
      }
      answer = await visit(url)
      continue
    }
    const page = await answer.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (prompt === undefined) throw new Error(`${answer.status} at ${url.href}: ${page.slice(0, 300)}`)
    const action = /action="([^"]+)"/.exec(page)?.[1]
    if (action !== undefined) url = new URL(action, url)
    answer = await visit(url, { prompt, ...(prompt === 'login' ? { login: name, password: 'whatever' } : {}) })
  }
  throw new Error(`the sign-in does not end, at ${url.href}`)
}
