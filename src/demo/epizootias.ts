import { addDays } from '../brasil/calendar.ts'
import type { Municipios } from '../brasil/municipios.ts'
import { createRandom, type Random } from './random.ts'

/** Made-up events in animals of one state, so that their screens are not empty. Nobody found these animals, and each event says so. */

const UF = 'PE'
const EVENTS = 60
const DAYS = 540
/** Apart from the numbers of the cases and of the climate of a seed. */
const SEEDS = 4_000_000
const LOCALIDADE = 'Evento gerado para demonstração'
const NOTICE = 'Gerada para demonstração: não é um evento real.'

const KINDS = [
  { especie_grupo: 'pnh', especie: 'Callithrix', suspeita: 'febre_amarela' },
  { especie_grupo: 'pnh', especie: 'Alouatta', suspeita: 'febre_amarela' },
  { especie_grupo: 'pnh', especie: 'Sapajus', suspeita: 'febre_amarela' },
  { especie_grupo: 'canideo', especie: 'Cerdocyon thous', suspeita: 'raiva' },
  { especie_grupo: 'quiroptero', especie: '', suspeita: 'raiva' },
  { especie_grupo: 'equideo', especie: '', suspeita: 'febre_nilo' },
] as const

const COLUMNS = [
  ...['numero', 'data_ocorrencia', 'data_notificacao', 'municipio', 'especie_grupo', 'especie'],
  ...['animais_mortos', 'suspeita', 'classificacao', 'criterio', 'localidade', 'observacao'],
]

/** A file as an import takes it; its name says that it is made up, too. */
export function epizootiasFile(
  { all }: Municipios,
  { seed, until }: { seed: number; until: string },
): { nome: string; text: string } {
  const random = createRandom(SEEDS + seed)
  const places = all.filter(({ uf }) => uf === UF)
  const lines = Array.from({ length: EVENTS }, (_, i) => {
    const ocorrencia = addDays(until, -1 - random.below(DAYS))
    const notificacao = addDays(ocorrencia, random.below(5))
    const { especie_grupo, especie, suspeita } = random.pick(KINDS)
    const classificacao = classify(random, ocorrencia, until)
    return [
      `DEMO-${String(i + 1).padStart(3, '0')}`,
      ocorrencia,
      notificacao > until ? until : notificacao,
      random.pick(places).codigo,
      especie_grupo,
      especie,
      1 + random.below(3),
      suspeita,
      classificacao,
      classificacao === 'confirmada' ? 'laboratorial' : '',
      // Read by everybody who sees the event; the observation is not.
      LOCALIDADE,
      NOTICE,
    ].join(';')
  })
  return { nome: 'epizootias-demonstracao.csv', text: [COLUMNS.join(';'), ...lines].join('\n') }
}

/** New events are still investigated; of older ones most are closed. */
function classify(random: Random, ocorrencia: string, until: string): string {
  if (ocorrencia > addDays(until, -45)) return 'em_investigacao'
  const at = random.next()
  return at < 0.3 ? 'confirmada' : at < 0.55 ? 'indeterminada' : at < 0.9 ? 'descartada' : 'em_investigacao'
}
