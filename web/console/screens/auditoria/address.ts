import { isCalendarDate } from '../../../../src/brasil/calendar.ts'
import type { QueryValue } from '../../api/rows.ts'
import { PATHS } from '../../paths.ts'

/** Subjects of the audit and the beginnings of their actions. */
export const THEMES = {
  acesso: [
    'login',
    'logout',
    'sessao',
    'sessoes',
    'senha',
    'convite',
    'mfa',
    'identidade',
    'sso',
    'email',
    'conta',
    'origem',
    'cadastro',
    'chave',
  ],
  contas: ['usuario', 'usuarios', 'grupo', 'permissao'],
  casos: ['caso', 'duplicidade', 'pessoa', 'agravo'],
  arquivos: ['importacao', 'exportacao', 'casos', 'rejeitados', 'auditoria', 'epizootias'],
  avisos: ['alerta', 'boletim', 'agenda_de_boletim', 'noticia'],
  series: ['serie', 'epizootia'],
  webhooks: ['webhook'],
} as const
export type Theme = keyof typeof THEMES
export const THEME_NAMES = Object.keys(THEMES) as Theme[]

/** The filter of the audit, which is its address. */
export interface AuditFilters {
  tema: Theme | null
  recurso: string | null
  id: string | null
  ator: string | null
  /** Address of the network that it was done from. */
  ip: string | null
  de: string | null
  ate: string | null
}

export const NO_FILTERS: AuditFilters = {
  ...{ tema: null, recurso: null, id: null, ator: null, ip: null, de: null, ate: null },
}

const MAX_ID = 100
const IP = /^[\da-fA-F.:]{2,45}$/
const day = (text: string | null) => (text !== null && isCalendarDate(text) ? text : null)

export function readAddress(search: string): { filters: AuditFilters; page: number } {
  const given = new URLSearchParams(search)
  const text = (name: string, form: RegExp) => {
    const value = given.get(name) ?? ''
    return form.test(value) ? value : null
  }
  const recurso = text('recurso', /^[a-z_]{1,40}$/)
  return {
    filters: {
      tema: THEME_NAMES.find((one) => one === given.get('tema')) ?? null,
      recurso,
      id: recurso === null ? null : given.get('id')?.slice(0, MAX_ID) || null,
      ator: text('ator', /^[1-9]\d{0,8}$/),
      ip: text('ip', IP),
      de: day(given.get('de')),
      ate: day(given.get('ate')),
    },
    page: Math.min(1_000_000, Math.max(1, Math.trunc(Number(given.get('pagina'))) || 1)),
  }
}

export function auditPath(filters: Partial<AuditFilters>, page = 1): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...NO_FILTERS, ...filters }))
    if (value !== null) query.set(name, value)
  if (page > 1) query.set('pagina', String(page))
  return query.size === 0 ? PATHS.auditoria : `${PATHS.auditoria}?${query}`
}

/** The filter as parameters of the API; days are those of this computer's time. */
export function auditQuery(filters: AuditFilters, actions: readonly string[]): Record<string, QueryValue> {
  const { tema, recurso, id, ator, ip, de, ate } = filters
  const moment = (date: string, time: string) => new Date(`${date}T${time}`).toISOString()
  return {
    ...(tema !== null && { 'acao[in]': actionsOf(tema, actions).join(',') }),
    ...(recurso !== null && { recurso }),
    ...(id !== null && { recurso_id: id }),
    ...(ator !== null && { ator_id: ator }),
    ...(ip !== null && { endereco_ip: ip }),
    ...(de !== null && { 'data[gte]': moment(de, '00:00:00') }),
    ...(ate !== null && { 'data[lte]': moment(ate, '23:59:59.999') }),
  }
}

export function actionsOf(theme: Theme, actions: readonly string[]): string[] {
  const beginnings: readonly string[] = THEMES[theme]
  return actions.filter((action) => beginnings.includes(action.split('.')[0] as string))
}
