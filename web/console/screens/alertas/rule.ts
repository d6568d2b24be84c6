import type { AnswerOf } from '../../api/rows.ts'
import { api, cache } from '../../state/session.ts'
import type { Tagged } from '../../state/tagged.ts'

/** A rule of alerts as its form holds it: typed text, turned into numbers when it is sent. */

export type Regra = AnswerOf<'GET', '/api/v1/agravos/alertas/regras'>['regras'][number]
export const LIMIARES = [
  ...(['p_crescimento', 'casos_janela'] as const),
  ...(['casos_amarelo', 'casos_laranja', 'casos_vermelho', 'incidencia_4_semanas'] as const),
]
export type Limiar = (typeof LIMIARES)[number]
export type Form = Record<Limiar, string>

const REGRAS = ['alertas', 'regras'] as const

export const regrasQuery = () => ({
  queryKey: REGRAS,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await api.get('/api/v1/agravos/alertas/regras', {}, { signal })).regras,
  staleTime: 0,
})

export const outdateRegras = () => cache.invalidateQueries({ queryKey: REGRAS })

/** The version of a rule is a number, which its change sends back. */
export const opened = (regra: Regra): Tagged<Regra> => ({ ...regra, etag: String(regra.versao) })

export async function readRegra(tipo: Regra['tipo_agravo']): Promise<Tagged<Regra>> {
  const { regras } = await api.get('/api/v1/agravos/alertas/regras', {})
  return opened(regras.find(({ tipo_agravo }) => tipo_agravo === tipo) as Regra)
}

/** A probability is shown in percent. */
const SCALES: Partial<Record<Limiar, number>> = { p_crescimento: 100 }
/** Digits of a double that are its own: 99.9 % is 0.999, not 0.9990000000000001. */
const DIGITS = 12
const scaled = (value: number, by: number) => Number((value * by).toPrecision(DIGITS))

export const shownOf = (name: Limiar, value: number) => scaled(value, SCALES[name] ?? 1)

export const formOf = (regra: Regra): Form =>
  Object.fromEntries(
    LIMIARES.map((name) => [name, String(shownOf(name, regra[name])).replace('.', ',')]),
  ) as Form

/** As shown; NaN: no number. */
export function numberTyped(text: string): number {
  const plain = text.trim().replace(',', '.')
  return plain === '' ? Number.NaN : Number(plain)
}

export const bodyOf = (form: Partial<Form>): Partial<Record<Limiar, number>> =>
  Object.fromEntries(
    Object.entries(form).map(([name, text]) => [
      name,
      scaled(numberTyped(text), 1 / (SCALES[name as Limiar] ?? 1)),
    ]),
  )

export interface Change {
  name: Limiar
  from: number
  to: number
}

/** Thresholds that differ and are numbers. */
export const changesOf = (regra: Regra, form: Form): Change[] =>
  LIMIARES.map((name) => ({ name, from: shownOf(name, regra[name]), to: numberTyped(form[name]) })).filter(
    ({ from, to }) => !Number.isNaN(to) && from !== to,
  )
