import type { Municipios } from '../brasil/municipios.ts'
import { type DemoCaso, generateCasos } from './casos.ts'
import { dayOf } from './epidemics.ts'

/**
 * The file that a municipality sends each week, as such files are: some people are notified twice, by two units that spell their
 * names otherwise, and some rows are wrong.
 */

/** People apart from those of every other seed. */
const SEEDS = 2_000_000
/** Cases to choose the recent ones of one state from. */
const CHOSEN_FROM = 20_000
const RECENT_DAYS = 45
const CASES = 60
const UF = 'PE'
/** Every so many cases, one is notified twice. */
const TWIN_EVERY = 6
/** Numbers below those of all other cases. */
const FIRST_NUMBER = 80_000_000
const NUMBERS = 1_000

export function notificacoesDaSemana(
  municipios: Municipios,
  { seed, until }: { seed: number; until: string },
): DemoCaso[] {
  const since = dayOf(until) - RECENT_DAYS
  const isRecent = ({ data_notificacao = '', estado_residencia, paciente_data_nascimento }: DemoCaso) =>
    estado_residencia === UF && paciente_data_nascimento !== '' && dayOf(data_notificacao) >= since
  const casos = [...generateCasos(municipios, { casos: CHOSEN_FROM, seed: SEEDS + seed, until })]
    .filter(isRecent)
    .slice(-CASES)
    .map((caso, i) => ({ ...caso, numero_notificacao: numberOf(seed, i) }))
  const twins = casos
    .filter((_caso, i) => i % TWIN_EVERY === 0)
    .map((caso, i) => twinOf(caso, numberOf(seed, CASES + i), until))
  return [...casos, ...twins, ...wrongOf(casos)]
}

const numberOf = (seed: number, i: number) => String(FIRST_NUMBER + (seed % 10_000) * NUMBERS + i)

/** The same person and illness, a day later, in another unit. */
function twinOf(caso: DemoCaso, numero_notificacao: string, until: string): DemoCaso {
  const { data_notificacao = '', paciente_nome = '' } = caso
  const next = new Date(Math.min(dayOf(data_notificacao) + 1, dayOf(until)) * 86_400_000)
  return {
    ...caso,
    numero_notificacao,
    data_notificacao: next.toISOString().slice(0, 10),
    paciente_nome: misspelt(paciente_nome),
    'unidade_notificante.nome': 'Unidade de Pronto Atendimento',
    'unidade_notificante.cnes': '2001234',
    data_investigacao: '',
    'dados_especificos.data_digitacao': '',
  }
}

const SLIPS: [RegExp, string][] = [
  [/Souza/, 'Sousa'],
  [/Luiz/, 'Luis'],
  [/Matheus/, 'Mateus'],
  [/\b(?:da|dos|de) /, ''],
  [/th/, 't'],
  [/ss/, 's'],
  [/z\b/, 's'],
  [/(\p{Ll})(\p{Ll})$/u, '$2$1'],
]

/** As a second hand would write it. */
function misspelt(nome: string): string {
  const [form, slip] = SLIPS.find(([pattern]) => pattern.test(nome)) ?? [/$/, '']
  return nome.replace(form, slip)
}

/** A municipality that does not exist, an onset after the notification, a date that is none. */
function wrongOf(casos: readonly DemoCaso[]): DemoCaso[] {
  const errors: DemoCaso[] = [
    { municipio_residencia: 'Ricife' },
    { data_inicio_sintomas: '2999-01-01' },
    { data_notificacao: '2026-02-31' },
  ]
  return errors.flatMap((error, i) => {
    const caso = casos[i]
    return caso === undefined
      ? []
      : [{ ...caso, numero_notificacao: `${caso.numero_notificacao}9`, ...error }]
  })
}
