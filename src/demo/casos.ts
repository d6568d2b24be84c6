import type { Municipios } from '../brasil/municipios.ts'
import type { FieldName } from '../domain/casos/campos.ts'
import type { AgravoConhecido } from '../domain/casos/enumeracoes.ts'
import { dayOf, daysUntil, type Outbreak } from './epidemics.ts'
import { type Person, somebody } from './people.ts'
import { type Place, type Places, placesOf } from './population.ts'
import { createRandom, type Random, sharesOf, type Weighted } from './random.ts'

/** Synthetic cases in the order of notification, the same for a seed and a last day. Fields are left empty as often as in real ones. */

export type DemoCaso = Partial<Record<FieldName, string>>

export interface DemoRequest {
  casos: number
  seed: number
  /** Last day of notification, and of what is known: cases that would be typed in later are not there yet. */
  until: string
}

export function* generateCasos(
  municipios: Municipios,
  { casos, seed, until }: DemoRequest,
): Generator<DemoCaso> {
  const places = placesOf(municipios)
  const random = createRandom(seed)
  // Apart from the rest, whose values of a seed stay what they were.
  const typing = createRandom(seed + TYPING_SEEDS)
  const dates = createDates(until)
  const days = daysUntil({ until, seed, casos }, typedWithin)
  const whole = days.reduce((sum, { outbreaks }) => sum + outbreaks.total, 0)
  const last = days.at(-1)?.day ?? 0
  let weight = 0
  let made = 0
  for (const { day, outbreaks } of days) {
    weight += outbreaks.total
    const due = day === last ? casos : Math.floor((casos * weight) / whole)
    for (; made < due; made++)
      yield casoOf(
        { random, typing, dates, day, last, places, seed, numero: made + 1 },
        outbreaks.pick(random),
      )
  }
}

const TYPING_SEEDS = 1_000_000

interface Circumstances {
  random: Random
  typing: Random
  dates: Dates
  /** Day of the notification, and the last day generated. */
  day: number
  last: number
  places: Places
  /** Part of the notification numbers, so that two seeds do not collide. */
  seed: number
  numero: number
}

function casoOf(at: Circumstances, { tipo, uf, municipio }: Outbreak): DemoCaso {
  const { random, dates, day, seed, numero } = at
  const onset = day - delayOf(random)
  const { ofState, byCodigo } = at.places
  const place =
    municipio === undefined
      ? (ofState.get(uf) as Weighted<Place>).pick(random)
      : (byCodigo.get(municipio) as Place)
  const person = somebody(random)
  const outcome = outcomeOf(at, tipo, onset)
  return {
    tipo_agravo: tipo,
    numero_notificacao: String(seed * 100_000_000 + numero),
    data_notificacao: dates(day),
    data_inicio_sintomas: dates(onset),
    ...patientOf(random, person, onset, dates),
    ...addressOf(random, place),
    ...outcome,
    ...signsOf(random, tipo),
    ...laboratoryOf(random, tipo, outcome, dates(onset + 1)),
    ...investigationOf(random, outcome),
    ...unitOf(random, place),
    'dados_especificos.data_digitacao': typedIn(at),
  }
}

/** Days from the notification until it is typed in: log-normal with a median of eight. */
const TYPING = { median: 8, spread: 1.2 }
const typingDays = (normal: number) => Math.round(TYPING.median * Math.exp(TYPING.spread * normal))
const typedWithin = (days: number) => normalBelow(Math.log((days + 0.5) / TYPING.median) / TYPING.spread)

/** By the last day, else it would not be known; the date itself is unknown of a few. */
function typedIn({ typing, dates, day, last }: Circumstances): string {
  let typed = day + typingDays(typing.normal())
  while (typed > last) typed = day + typingDays(typing.normal())
  return typing.chance(0.03) ? '' : dates(typed)
}

/** Probability that a normal value is below this one; the logistic curve is near enough. */
const normalBelow = (value: number) => 1 / (1 + Math.exp(-1.702 * value))

/** Days from onset to notification: log-normal with a median of three. */
const delayOf = (random: Random) => Math.min(240, Math.round(3 * Math.exp(0.95 * random.normal())))

function patientOf(
  random: Random,
  { nome, idade, sexo, gestante, raca, escolaridade }: Person,
  onset: number,
  dates: Dates,
): DemoCaso {
  const known = random.chance(0.97)
  const birth = dates(onset - Math.floor(idade * 365.25) - 1 - random.below(364))
  return {
    paciente_nome: nome,
    paciente_data_nascimento: known ? birth : '',
    // The age follows from a birth date.
    paciente_idade: known ? '' : String(idade),
    paciente_sexo: sexo,
    paciente_gestante: sexo === 'F' ? String(gestante) : '',
    paciente_raca: raca,
    paciente_escolaridade: escolaridade,
    paciente_ocupacao: random.chance(0.3) ? '' : random.pick(OCUPACOES),
  }
}

const OCUPACOES =
  'Estudante,Dona de casa,Aposentado,Agricultor,Professora,Pedreiro,Comerciante,Motorista,Auxiliar de serviços gerais,Vendedora,Técnica de enfermagem,Autônomo'.split(
    ',',
  )

const BAIRROS =
  'Centro,São José,Boa Vista,Santo Antônio,Jardim América,Vila Nova,São Francisco,Bela Vista,Santa Luzia,Industrial,Alto da Boa Vista,Novo Horizonte,São Pedro,Planalto,Santa Rita,Nossa Senhora Aparecida,Cidade Nova,Liberdade,Jardim das Flores,Aeroporto,Primavera,Vila São João,Santa Cruz,Morada do Sol,Parque das Nações,Coqueiral,Floresta,Ipiranga,Várzea,Esperança'.split(
    ',',
  )
const RUAS =
  'Rua das Flores,Rua São João,Avenida Brasil,Rua Sete de Setembro,Rua XV de Novembro,Avenida Getúlio Vargas,Rua Santo Antônio,Rua Dom Pedro II,Rua Tiradentes,Rua da Paz,Travessa Boa Esperança,Rua Projetada'.split(
    ',',
  )
const ZONAS = sharesOf({ urbana: 84, rural: 7, periurbana: 1, '': 8 })
/** Spread of the houses of a place in degrees, by its number of postal sectors. */
const spreadOf = (sectors: number) => Math.min(0.12, 0.01 + 0.01 * Math.log2(sectors))

function addressOf(random: Random, place: Place): DemoCaso {
  const sector = place.sector + random.below(place.sectors)
  const located = random.chance(0.4)
  const off = () => spreadOf(place.sectors) * (random.next() + random.next() - 1)
  const autochthonous = random.chance(0.75)
  return {
    municipio_residencia: String(place.codigo),
    estado_residencia: place.uf,
    // Squared: the first of the list are the most frequent.
    bairro_residencia: random.chance(0.2)
      ? ''
      : (BAIRROS[Math.floor(random.next() ** 2 * BAIRROS.length)] as string),
    zona_residencia: ZONAS.pick(random),
    logradouro_residencia: random.chance(0.12) ? '' : random.pick(RUAS),
    numero_residencia: random.chance(0.25) ? '' : String(1 + random.below(1_999)),
    cep_residencia: random.chance(0.35)
      ? ''
      : `${String(sector).padStart(5, '0')}-${String(random.below(1_000)).padStart(3, '0')}`,
    latitude: located ? (place.latitude + off()).toFixed(5) : '',
    longitude: located ? (place.longitude + off()).toFixed(5) : '',
    municipio_infeccao: autochthonous ? String(place.codigo) : '',
    estado_infeccao: autochthonous ? place.uf : '',
    pais_infeccao: autochthonous ? 'Brasil' : '',
  }
}

const LOCAIS =
  'Feira livre,Escola municipal,Terminal de ônibus,Casa de parentes,Praça central,Mercado,Posto de trabalho,Igreja'.split(
    ',',
  )

/** The block of the form that an investigation fills in; its places are a JSON cell, as the export writes them. */
function investigationOf(random: Random, { data_investigacao }: DemoCaso): DemoCaso {
  if (data_investigacao === '')
    return {
      'investigacao.viagem_recente': '',
      'investigacao.contato_casos_similares': '',
      'investigacao.locais_frequentados': '',
      'dados_clinicos.comorbidades': '',
    }
  const local = () => ({
    local: random.pick(LOCAIS),
    endereco: `${random.pick(RUAS)}, ${1 + random.below(1_999)}`,
    periodo: random.pick(['manhã', 'tarde', 'noite']),
  })
  return {
    'investigacao.viagem_recente': String(random.chance(0.1)),
    'investigacao.contato_casos_similares': String(random.chance(0.35)),
    'investigacao.locais_frequentados': JSON.stringify(Array.from({ length: 1 + random.below(2) }, local)),
    'dados_clinicos.comorbidades': COMORBIDADES.pick(random),
  }
}

const COMORBIDADES = sharesOf({ '': 80, diabetes: 7, hipertensão: 9, 'diabetes|hipertensão': 4 })

/** Health posts of a municipality, each with one name, telephone and code. */
function unitOf(random: Random, { codigo, sectors }: Place): DemoCaso {
  const cnes = 2_000_000 + ((codigo * 31 + random.below(1 + sectors)) % 7_000_000)
  const telefone = String(30_000_000 + (cnes % 10_000_000))
  return {
    'unidade_notificante.nome': `Unidade Básica de Saúde ${BAIRROS[cnes % BAIRROS.length]}`,
    'unidade_notificante.cnes': String(cnes),
    'unidade_notificante.telefone': `(${11 + (codigo % 80)}) ${telefone.slice(0, 4)}-${telefone.slice(4)}`,
    'unidade_notificante.responsavel': somebody(random).nome,
  }
}

/** Days from the notification to the end of the investigation. */
const CLOSING_DAYS = { soonest: 7, latest: 60 }
const CONFIRMADO = 0.63
const DESCARTADO = 0.265
const HOSPITALIZADO = 0.036
const OBITO = 0.0005
const GRAVIDADE = sharesOf({ dengue_sem_sinais_alarme: 970, dengue_com_sinais_alarme: 27, dengue_grave: 3 })
const CRITERIOS = sharesOf({ laboratorial: 42, clinico_epidemiologico: 58 })
const EVOLUCOES = sharesOf({ cura: 82, ignorado: 6, '': 12 })

function outcomeOf(
  { random, dates, day, last }: Circumstances,
  tipo: AgravoConhecido,
  onset: number,
): DemoCaso {
  const died = random.chance(OBITO)
  const inHospital = died || random.chance(HOSPITALIZADO)
  const closed = day + CLOSING_DAYS.soonest + random.below(CLOSING_DAYS.latest - CLOSING_DAYS.soonest)
  const hospital = {
    hospitalizacao: inHospital ? 'true' : random.chance(0.8) ? 'false' : '',
    data_internacao: inHospital ? dates(Math.min(last, onset + 1 + random.below(6))) : '',
    uti: inHospital && random.chance(0.06) ? 'true' : '',
    data_investigacao: random.chance(0.6) ? dates(day) : '',
    classificacao_inicial: 'suspeito',
  }
  if (closed > last) return { ...hospital, criterio_confirmacao: 'em_investigacao' }
  const fate = died ? 0 : random.next()
  const confirmed = fate < CONFIRMADO
  return {
    ...hospital,
    classificacao_final: confirmed
      ? severityOf(random, tipo, died)
      : fate < CONFIRMADO + DESCARTADO
        ? 'descartado'
        : 'inconclusivo',
    criterio_confirmacao: CRITERIOS.pick(random),
    evolucao: died ? 'obito' : EVOLUCOES.pick(random),
    data_obito: died ? dates(Math.min(closed, onset + 3 + random.below(12))) : '',
    data_encerramento: dates(closed),
  }
}

function severityOf(random: Random, tipo: AgravoConhecido, died: boolean): string {
  if (tipo !== 'dengue') return 'confirmado'
  return died ? 'dengue_grave' : GRAVIDADE.pick(random)
}

/** Percentage of cases with each sign, by disease. */
const SIGN_SHARES: Partial<Record<FieldName, Record<AgravoConhecido, number>>> = {
  'dados_especificos.febre': { dengue: 86, chikungunya: 90, zika: 55 },
  'dados_especificos.mialgia': { dengue: 80, chikungunya: 75, zika: 50 },
  'dados_especificos.cefaleia': { dengue: 78, chikungunya: 70, zika: 55 },
  'dados_especificos.exantema': { dengue: 18, chikungunya: 30, zika: 85 },
  'dados_especificos.nausea': { dengue: 40, chikungunya: 25, zika: 15 },
  'dados_especificos.dor_retro_orbital': { dengue: 32, chikungunya: 15, zika: 20 },
  'dados_especificos.artralgia': { dengue: 22, chikungunya: 88, zika: 40 },
  'dados_especificos.vomito': { dengue: 26, chikungunya: 15, zika: 8 },
  'dados_especificos.conjuntivite': { dengue: 3, chikungunya: 6, zika: 35 },
}
const SIGNS = Object.entries(SIGN_SHARES) as [FieldName, Record<AgravoConhecido, number>][]

/** The block of the form is filled in as a whole or not at all. */
function signsOf(random: Random, tipo: AgravoConhecido): DemoCaso {
  const filled = random.chance(0.93)
  const signs: DemoCaso = {}
  for (const [nome, shares] of SIGNS) signs[nome] = filled ? String(random.chance(shares[tipo] / 100)) : ''
  return signs
}

const PROVAS = sharesOf({ '': 40, nao_realizada: 45, negativa: 10, positiva: 5 })
const SOROTIPOS = sharesOf({ DENV1: 60, DENV2: 32, DENV3: 6, DENV4: 2 })

/** Tests consistent with the criterion of the classification. */
function laboratoryOf(
  random: Random,
  tipo: AgravoConhecido,
  { classificacao_final, criterio_confirmacao }: DemoCaso,
  sampled: string,
): DemoCaso {
  const tested = criterio_confirmacao === 'laboratorial'
  const result =
    classificacao_final === 'descartado'
      ? 'negativo'
      : classificacao_final === 'inconclusivo'
        ? 'inconclusivo'
        : 'positivo'
  const ns1 = tested && tipo === 'dengue' && random.chance(0.6)
  const pcr = tested && !ns1 && random.chance(0.3)
  const igm = tested && !ns1 && !pcr
  return {
    'dados_laboratoriais.ns1': ns1 ? result : '',
    'dados_laboratoriais.data_ns1': ns1 ? sampled : '',
    'dados_laboratoriais.pcr': pcr ? result : '',
    'dados_laboratoriais.data_pcr': pcr ? sampled : '',
    'dados_laboratoriais.igm': igm ? result : '',
    'dados_laboratoriais.data_igm': igm ? sampled : '',
    'dados_laboratoriais.plaquetas': tested ? String(20_000 + random.below(300_000)) : '',
    'dados_laboratoriais.hematocrito': tested ? (30 + 20 * random.next()).toFixed(1) : '',
    'dados_especificos.prova_laco': PROVAS.pick(random),
    'dados_especificos.sorotipo':
      pcr && tipo === 'dengue' && result === 'positivo' ? SOROTIPOS.pick(random) : '',
  }
}

type Dates = (day: number) => string

/** Caches formatted dates: birthdays included there are some 46,000 different ones. */
function createDates(until: string): Dates {
  const first = dayOf('1900-01-01')
  const known = new Array<string>(Math.max(0, dayOf(until) - first + 1))
  return (day) => {
    known[day - first] ??= new Date(day * 86_400_000).toISOString().slice(0, 10)
    return known[day - first] as string
  }
}
