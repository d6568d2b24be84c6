/** Providers of single sign-on, as `OIDC_PROVIDERS` lists them. */
export interface ProvedorConfig {
  id: string
  /** On the button. */
  nome: string
  issuer: string
  client_id: string
  /** Null: a public client, which proves itself by PKCE alone. */
  client_secret: string | null
  escopos: string[]
  /** Claims by which an identity finds its account at its first sign-in. */
  vincular: Vinculo[]
  claim_cpf: string | null
  /** Null: accounts are never created. */
  criar: { grupos: string[] } | null
  /** Groups that the provider decides: value of the claim → group. */
  grupos: { claim: string; mapa: Record<string, string> } | null
  /** A second factor that the provider reports (`amr`) counts as ours. */
  confia_mfa: boolean
}

const VINCULOS = ['email', 'cpf'] as const
export type Vinculo = (typeof VINCULOS)[number]

const NAME = 'OIDC_PROVIDERS'
const MOST = 8
const MOST_MAPPED = 200
const LONGEST_NAME = 60
const LONGEST = 500
const ID = /^[a-z\d](?:[a-z\d-]{0,30}[a-z\d])?$/
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])
const DEFAULT_SCOPES = ['openid', 'email', 'profile']
const FIELDS = new Set([
  'id',
  'nome',
  'issuer',
  'client_id',
  'client_secret',
  'escopos',
  'vincular',
  'claim_cpf',
  'criar',
  'grupos',
  'confia_mfa',
])

type Fields = Record<string, unknown>
type Tell = (field: string, rule: string) => void

/** Every problem at once. None of them shows a value: the text holds secrets, and so would a parser's message. */
export function readProvedores(
  text: string | null,
  { production }: { production: boolean },
): { provedores: ProvedorConfig[]; problems: string[] } {
  if (text === null) return { provedores: [], problems: [] }
  const problems: string[] = []
  const list = parse(text)
  if (!Array.isArray(list)) return { provedores: [], problems: [`${NAME} must be a list in JSON`] }
  if (list.length > MOST) problems.push(`${NAME} must have at most ${MOST} providers`)
  const provedores = list.slice(0, MOST).map((one, i) => {
    const tell: Tell = (field, rule) => problems.push(`${NAME}[${i}]${field && `.${field}`} ${rule}`)
    if (!isObject(one)) {
      tell('', 'must be an object')
      return null
    }
    return readProvedor(one, production, tell)
  })
  const read = provedores.filter((one) => one !== null)
  if (new Set(read.map(({ id }) => id)).size < read.length) problems.push(`${NAME} has an id twice`)
  return { provedores: read, problems }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown, longest = LONGEST): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longest

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= MOST_MAPPED && value.every((one) => isText(one))

function readProvedor(fields: Fields, production: boolean, tell: Tell): ProvedorConfig {
  if (Object.keys(fields).some((field) => !FIELDS.has(field)))
    tell('', `has an unknown field; known are ${[...FIELDS].join(', ')}`)
  const text = (field: string, longest?: number): string => {
    if (isText(fields[field], longest)) return fields[field]
    tell(field, `must be a text of 1 to ${longest ?? LONGEST} characters`)
    return ''
  }
  const optional = (field: string): string | null => (fields[field] == null ? null : text(field))
  const id = text('id', 32)
  if (id !== '' && !ID.test(id)) tell('id', 'must be of lower-case letters, digits and hyphens')
  const vincular = readVincular(fields.vincular, tell)
  const claim_cpf = optional('claim_cpf')
  if (vincular.includes('cpf') && claim_cpf === null) tell('claim_cpf', 'must name the claim of the CPF')
  const { confia_mfa = false } = fields
  if (typeof confia_mfa !== 'boolean') tell('confia_mfa', 'must be true or false')
  return {
    id,
    nome: text('nome', LONGEST_NAME),
    issuer: readIssuer(fields.issuer, production, tell),
    client_id: text('client_id'),
    client_secret: optional('client_secret'),
    escopos: readEscopos(fields.escopos, tell),
    vincular,
    claim_cpf,
    criar: readCriar(fields.criar, tell),
    grupos: readGrupos(fields.grupos, tell),
    confia_mfa: confia_mfa === true,
  }
}

function readIssuer(value: unknown, production: boolean, tell: Tell): string {
  const url = isText(value) && URL.canParse(value) ? new URL(value) : null
  const isPlainTrial = url?.protocol === 'http:' && LOOPBACK.has(url.hostname) && !production
  if (url === null || (url.protocol !== 'https:' && !isPlainTrial))
    tell(
      'issuer',
      'must be a URL that begins with https:// (http:// only to this machine, outside production)',
    )
  else if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    tell('issuer', 'must be a URL without user, query and fragment')
  return String(value)
}

function readEscopos(value: unknown, tell: Tell): string[] {
  if (value == null) return DEFAULT_SCOPES
  if (isTexts(value) && value.every((scope) => SCOPE.test(scope))) return [...new Set(['openid', ...value])]
  tell('escopos', 'must be a list of scopes')
  return DEFAULT_SCOPES
}

function readVincular(value: unknown, tell: Tell): Vinculo[] {
  const isVinculo = (one: unknown): one is Vinculo => VINCULOS.some((known) => known === one)
  if (Array.isArray(value) && value.every(isVinculo)) return [...new Set(value)]
  tell('vincular', `must be a list of ${VINCULOS.join(', ')}`)
  return []
}

function readCriar(value: unknown, tell: Tell): ProvedorConfig['criar'] {
  if (value == null || value === false) return null
  if (isObject(value) && isTexts(value.grupos) && Object.keys(value).length === 1)
    return { grupos: [...new Set(value.grupos)] }
  tell('criar', 'must be false or {"grupos": [names of groups]}')
  return null
}

function readGrupos(value: unknown, tell: Tell): ProvedorConfig['grupos'] {
  if (value == null) return null
  const { claim, mapa, ...others } = isObject(value) ? value : {}
  if (isText(claim) && isObject(mapa) && isTexts(Object.values(mapa)) && Object.keys(others).length === 0)
    return { claim, mapa: mapa as Record<string, string> }
  tell('grupos', 'must be {"claim": name, "mapa": {value of the claim: name of a group}}')
  return null
}
