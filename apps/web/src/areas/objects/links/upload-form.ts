/** The form of an upload link, as returned by `createUploadLink`. */
export interface UploadForm {
  /** The URL to post the form to. */
  url: string
  /** The fields of the form, which must precede the file. */
  fields: Readonly<Record<string, string>>
}

interface UploadPageTexts {
  title: string
  /** Lines of text above the form. */
  notes: readonly string[]
  file: string
  send: string
  /** The language of the page: `en`. */
  language: string
}

/** Returns an HTML page with the form, to open in a browser. It contains no script and loads no resources. */
export function uploadFormPage({ url, fields }: UploadForm, words: UploadPageTexts): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return `<!doctype html>
<html lang="${escapeHtml(words.language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(words.title)}</title>
<style>
body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark }
h1 { font-size: 1.25rem; overflow-wrap: anywhere }
label { display: block; margin: 1.5rem 0 .5rem }
input[type=file], button { font: inherit }
button { margin-top: 1.5rem; padding: .5rem 1rem }
</style>
<h1>${escapeHtml(words.title)}</h1>
${words.notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
<form method="post" enctype="multipart/form-data" action="${escapeHtml(url)}">
${hidden.join('\n')}
<label for="file">${escapeHtml(words.file)}</label>
<input type="file" id="file" name="file" required>
<div><button>${escapeHtml(words.send)}</button></div>
</form>
</html>
`
}

/** Returns a command that uploads a file with the same form. */
export function uploadFormCommand({ url, fields }: UploadForm, file: string): string {
  const parts = Object.entries(fields).map(([name, value]) => `  --form-string ${shellQuote(`${name}=${value}`)}`)
  return ['curl --fail', ...parts, `  -F ${shellQuote(`file=@${file}`)}`, `  ${shellQuote(url)}`].join(' \\\n')
}

const shellQuote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)
