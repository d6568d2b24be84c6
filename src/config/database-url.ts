const PROTOCOLS = ['postgres:', 'postgresql:']
/** Values of `target_session_attrs` that mean a server that can be written to. */
const WRITABLE = ['read-write', 'primary']

/** URLs of the servers that a database URL names, in its order: libpq separates several hosts by commas. */
export function serverUrls(databaseUrl: string): string[] {
  const [, before, hosts, after] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(databaseUrl) ?? []
  return hosts === undefined ? [databaseUrl] : hosts.split(',').map((host) => `${before}${host}${after}`)
}

/** Problem of a database URL, in words that do not quote it; null for one that can be used. */
export function databaseUrlProblem(databaseUrl: string): string | null {
  const urls = serverUrls(databaseUrl)
  if (!urls.every((url) => URL.canParse(url) && PROTOCOLS.includes(new URL(url).protocol)))
    return `must be a URL that begins with ${PROTOCOLS.map((protocol) => `${protocol}//`).join(' or ')}`
  const attributes = new URL(urls[0] as string).searchParams.get('target_session_attrs')
  if (attributes !== null && !WRITABLE.includes(attributes))
    return `may have target_session_attrs ${WRITABLE.join(' or ')} only`
  return null
}
