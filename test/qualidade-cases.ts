import fc from 'fast-check'
import { addDays, daysBetween } from '../src/brasil/calendar.ts'
import type { Municipios } from '../src/brasil/municipios.ts'
import { type Campos, EMPTY_CASE } from '../src/domain/casos/campos.ts'
import { insertCasos } from '../src/domain/casos/casos.sql.ts'
import { statusOf } from '../src/domain/casos/regras.ts'
import { createChaves, seal } from '../src/domain/casos/sigilo.ts'
import { createCipher } from '../src/domain/cipher.ts'
import type { TestApp } from './harness/app.ts'

/** Random records with the contradictions of real files, and what the specification says of each, in plain predicates. */

export type Registro = Campos & { id: number }

export const MUNICIPIOS = [2_611_606, 2_609_600, 3_550_308, 5_101_837, null]
const DENGUE = ['dengue_sem_sinais_alarme', 'dengue_com_sinais_alarme', 'dengue_grave']
const OBITOS = ['obito', 'obito_outras_causas', 'obito_em_investigacao']
const SIGNS = [
  'dados_especificos.sinais_alarme',
  'dados_especificos.hipotensao',
  'dados_clinicos.sinais_sintomas.letargia',
  'dados_clinicos.sinais_sintomas.dor_abdominal',
] as const

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 2 })
const RESULTADOS = ['positivo', 'negativo', 'inconclusivo', 'nao_realizado']

export const rascunho = fc.record({
  tipo_agravo: oneOf('dengue', 'dengue', 'zika', 'chikungunya'),
  /** Days before today, around a death's first day, the deadline and the year. */
  ago: fc.oneof(fc.nat(130), oneOf(0, 1, 2, 3), oneOf(59, 60, 61, 363, 364, 365, 366)),
  onset: orNull(fc.oneof(fc.nat(12), oneOf(7, 8, 364, 365, 366, 20_000))),
  typed: orNull(fc.integer({ min: -3, max: 40 })),
  closed: orNull(oneOf(-2, 0, 10, 59, 60, 61, 62, 75)),
  died: orNull(fc.integer({ min: -20, max: 5 })),
  admitted: orNull(fc.integer({ min: -20, max: 3 })),
  investigated: orNull(fc.nat(3)),
  municipio: oneOf(...MUNICIPIOS),
  /** Of cases without a municipality. */
  uf: oneOf('PE', 'SP', null),
  sexo: orNull(oneOf('M', 'F', 'F', 'I')),
  idade: orNull(oneOf(0, 9, 10, 30, 49, 50, 90)),
  informada: orNull(oneOf(401)),
  gestante: orNull(fc.boolean()),
  raca: orNull(oneOf('parda', 'ignorado')),
  escolaridade: orNull(oneOf('analfabeto', 'nao_se_aplica', 'ignorado')),
  classe: orNull(oneOf(...DENGUE, ...DENGUE, 'descartado', 'inconclusivo', 'inconclusivo')),
  criterio: orNull(oneOf('laboratorial', 'em_investigacao')),
  evolucao: orNull(oneOf('cura', 'ignorado', ...OBITOS)),
  hospitalizacao: orNull(fc.boolean()),
  bairro: orNull(oneOf('Centro')),
  cnes: orNull(oneOf('0000001', '0000002')),
  sinal: orNull(fc.tuple(oneOf(...SIGNS), fc.boolean())),
  gravidade: orNull(oneOf([], ['melena'])),
  pcr: orNull(oneOf(...RESULTADOS)),
  isolamento: orNull(oneOf(...RESULTADOS)),
  sorotipo: orNull(oneOf('DENV1', 'DENV3')),
  /** Words of the form where they mean nothing: rules must not be taken in by them. */
  nome: orNull(oneOf('Posto "sorotipo": "positivo"', 'Posto "pcr":"positivo"')),
  nascimento: orNull(oneOf('1990-01-01', '1990-01-02')),
})
export type Rascunho = typeof rascunho extends fc.Arbitrary<infer D> ? D : never

/** As the database keeps it, past the rules that a creation would refuse it by. */
export function registroOf(draft: Rascunho, numero: number, hoje: string, municipios: Municipios): Campos {
  const data_notificacao = addDays(hoje, -draft.ago)
  const after = (days: number | null) => (days === null ? null : addDays(data_notificacao, days))
  const isDengue = draft.tipo_agravo === 'dengue'
  const campos = {
    ...EMPTY_CASE,
    tipo_agravo: draft.tipo_agravo,
    // Some share one: numbers repeat in reality.
    numero_notificacao: String(numero % 97 === 0 ? 1 : numero),
    data_notificacao,
    data_inicio_sintomas: after(draft.onset === null ? null : -draft.onset),
    'dados_especificos.data_digitacao': after(draft.typed),
    data_encerramento: after(draft.closed),
    data_obito: after(draft.died),
    data_internacao: after(draft.admitted),
    data_investigacao: after(draft.investigated),
    municipio_residencia: draft.municipio,
    estado_residencia:
      draft.municipio === null ? draft.uf : (municipios.byCodigo(draft.municipio)?.uf ?? null),
    paciente_sexo: draft.sexo,
    paciente_idade: draft.idade,
    'dados_especificos.idade_informada': draft.informada,
    paciente_gestante: draft.gestante,
    paciente_raca: draft.raca,
    paciente_escolaridade: draft.escolaridade,
    classificacao_final: !isDengue && DENGUE.includes(draft.classe ?? '') ? 'confirmado' : draft.classe,
    criterio_confirmacao: draft.criterio,
    evolucao: draft.evolucao,
    hospitalizacao: draft.hospitalizacao,
    bairro_residencia: draft.bairro,
    'unidade_notificante.cnes': draft.cnes,
    'unidade_notificante.nome': draft.nome,
    'dados_especificos.sinais_gravidade': draft.gravidade,
    'dados_especificos.sorotipo': draft.sorotipo,
    'dados_laboratoriais.pcr': draft.pcr,
    'dados_laboratoriais.isolamento_viral': draft.isolamento,
    paciente_data_nascimento: draft.nascimento,
    ...(draft.sinal !== null && { [draft.sinal[0]]: draft.sinal[1] }),
  } as unknown as Campos
  return { ...campos, status: statusOf(campos) }
}

export async function store(t: TestApp, registros: readonly Campos[], now: Date): Promise<Registro[]> {
  const [cipher, chaves] = [createCipher(t.dataKey), createChaves(t.dataKey)]
  const novos = registros.map((campos) => ({
    campos,
    sealed: seal(cipher, chaves, campos),
    by: { id: 1, nome: 'Ana' },
    now,
  }))
  const ids = await insertCasos(t.database.pool, novos, [])
  return registros.map((campos, i) => ({ ...campos, id: ids[i] as number }))
}

const isDeath = ({ evolucao }: Campos) => OBITOS.includes(evolucao ?? '')
const isolated = (caso: Campos) =>
  caso['dados_laboratoriais.pcr'] === 'positivo' ||
  caso['dados_laboratoriais.isolamento_viral'] === 'positivo'
const isEarlier = (a: string | null, b: string | null) => a !== null && b !== null && a < b
const isKnown = (value: unknown) => value !== null && value !== 'ignorado'
const always = () => true
const mayBePregnant = ({ paciente_sexo, paciente_idade }: Campos) =>
  paciente_sexo === 'F' && paciente_idade !== null && paciente_idade >= 10 && paciente_idade <= 49

type Test = (caso: Campos) => boolean

/** Each field: which records it is asked of, and in which it is filled in. */
export const COMPLETUDE: Record<string, [asked: Test, filled: Test]> = {
  data_inicio_sintomas: [always, (caso) => caso.data_inicio_sintomas !== null],
  sexo: [always, (caso) => caso.paciente_sexo === 'M' || caso.paciente_sexo === 'F'],
  idade: [
    always,
    (caso) => caso.paciente_idade !== null || caso['dados_especificos.idade_informada'] !== null,
  ],
  raca: [always, (caso) => isKnown(caso.paciente_raca)],
  escolaridade: [always, (caso) => isKnown(caso.paciente_escolaridade)],
  classificacao_final: [always, (caso) => caso.classificacao_final !== null],
  criterio_confirmacao: [always, (caso) => caso.criterio_confirmacao !== null],
  evolucao: [always, (caso) => isKnown(caso.evolucao)],
  hospitalizacao: [(caso) => caso.tipo_agravo !== 'zika', (caso) => caso.hospitalizacao !== null],
  data_encerramento: [always, (caso) => caso.data_encerramento !== null],
  municipio_residencia: [always, (caso) => caso.municipio_residencia !== null],
  bairro_residencia: [always, (caso) => caso.bairro_residencia !== null],
  unidade: [always, (caso) => caso['unidade_notificante.cnes'] !== null],
  gestante: [mayBePregnant, (caso) => caso.paciente_gestante !== null],
  sorotipo: [
    (caso) => caso.tipo_agravo === 'dengue' && isolated(caso),
    (caso) => caso['dados_especificos.sorotipo'] !== null,
  ],
}

export const CONTRADICOES: Record<string, Test> = {
  inicio_implausivel: (caso) =>
    caso.data_inicio_sintomas !== null && daysBetween(caso.data_inicio_sintomas, caso.data_notificacao) > 365,
  obito_sem_data: (caso) => isDeath(caso) && caso.data_obito === null,
  data_obito_sem_obito: (caso) => !isDeath(caso) && caso.data_obito !== null,
  obito_antes_do_inicio: (caso) => isEarlier(caso.data_obito, caso.data_inicio_sintomas),
  internado_sem_data: (caso) => caso.hospitalizacao === true && caso.data_internacao === null,
  data_internacao_sem_internacao: (caso) => caso.hospitalizacao !== true && caso.data_internacao !== null,
  internacao_antes_do_inicio: (caso) => isEarlier(caso.data_internacao, caso.data_inicio_sintomas),
  classificado_sem_encerramento: (caso) =>
    caso.classificacao_final !== null &&
    caso.data_encerramento === null &&
    caso.criterio_confirmacao !== 'em_investigacao',
  encerrado_sem_classificacao: (caso) => caso.data_encerramento !== null && caso.classificacao_final === null,
  alarme_sem_sinais: (caso) =>
    caso.classificacao_final === 'dengue_com_sinais_alarme' && !SIGNS.some((sign) => caso[sign] === true),
  grave_sem_sinais: (caso) =>
    caso.classificacao_final === 'dengue_grave' &&
    (caso['dados_especificos.sinais_gravidade'] ?? []).length === 0,
  sorotipo_sem_exame: (caso) => caso['dados_especificos.sorotipo'] !== null && !isolated(caso),
}

export const PRAZO = 60

/** Codes of the work list, duplicates apart. */
export const TRABALHO: Record<string, (caso: Campos, hoje: string) => boolean> = {
  ...CONTRADICOES,
  a_encerrar: (caso, hoje) =>
    caso.status === 'em_investigacao' && addDays(caso.data_notificacao, PRAZO) >= hoje,
  atrasado: (caso, hoje) => caso.status === 'em_investigacao' && addDays(caso.data_notificacao, PRAZO) < hoje,
  obito_sem_investigacao: (caso, hoje) =>
    isUnsettledDeath(caso) &&
    caso.data_investigacao === null &&
    daysBetween(caso.data_obito ?? caso.data_notificacao, hoje) >= 2,
  obito_a_investigar: (caso) => caso.evolucao === 'obito_em_investigacao',
  sem_classificacao: (caso) => caso.classificacao_final === null,
  sem_inicio_sintomas: (caso) => caso.data_inicio_sintomas === null,
  sem_hospitalizacao: (caso) => caso.tipo_agravo !== 'zika' && caso.hospitalizacao === null,
}

const isUnsettledDeath = ({ evolucao, status }: Campos) =>
  evolucao === 'obito_em_investigacao' || (evolucao === 'obito' && status === 'em_investigacao')

/** Pairs that may be of one person, compared one by one. */
export function paresOf(casos: readonly Registro[]): [Registro, Registro][] {
  const isPair = (a: Registro, b: Registro) =>
    a.paciente_data_nascimento !== null &&
    a.paciente_data_nascimento === b.paciente_data_nascimento &&
    a.tipo_agravo === b.tipo_agravo &&
    a.municipio_residencia !== null &&
    a.municipio_residencia === b.municipio_residencia &&
    a.paciente_sexo !== null &&
    a.paciente_sexo === b.paciente_sexo &&
    a.numero_notificacao !== b.numero_notificacao &&
    a.data_inicio_sintomas !== null &&
    b.data_inicio_sintomas !== null &&
    Math.abs(daysBetween(a.data_inicio_sintomas, b.data_inicio_sintomas)) <= 15
  return casos.flatMap((a, i) =>
    casos
      .slice(i + 1)
      .filter((b) => isPair(a, b))
      .map((b): [Registro, Registro] => [a, b]),
  )
}

/** Delays that count, in days, and the share in time. */
export function oportunidadeOf(casos: readonly Campos[], hoje: string) {
  const within = (days: number | null, max = Number.POSITIVE_INFINITY) =>
    days !== null && days >= 0 && days <= max ? [days] : []
  const between = (from: string | null, to: string | null) =>
    from === null || to === null ? null : daysBetween(from, to)
  const lists = {
    notificacao: casos.flatMap((caso) =>
      within(between(caso.data_inicio_sintomas, caso.data_notificacao), 365),
    ),
    digitacao: casos.flatMap((caso) =>
      within(between(caso.data_notificacao, caso['dados_especificos.data_digitacao'])),
    ),
    encerramento: casos.flatMap((caso) => within(between(caso.data_notificacao, caso.data_encerramento))),
    obito: casos.flatMap((caso) =>
      caso.evolucao === 'obito' ? within(between(caso.data_obito, caso.data_notificacao)) : [],
    ),
  }
  const due = casos.filter((caso) => addDays(caso.data_notificacao, PRAZO) <= hoje)
  const closedInTime = due.filter(
    (caso) => within(between(caso.data_notificacao, caso.data_encerramento), PRAZO).length > 0,
  )
  const upTo = (days: number[], max: number) =>
    [days.filter((one) => one <= max).length, days.length] as const
  return {
    notificacao: { days: lists.notificacao, share: upTo(lists.notificacao, 7) },
    digitacao: { days: lists.digitacao, share: upTo(lists.digitacao, 7) },
    encerramento: { days: lists.encerramento, share: [closedInTime.length, due.length] as const },
    obito: { days: lists.obito, share: upTo(lists.obito, 1) },
  }
}
