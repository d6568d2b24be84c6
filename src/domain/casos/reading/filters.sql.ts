import { firstDayOf, semanaByCodigo } from '../../../brasil/epi-week.ts'
import type { Municipio, Municipios } from '../../../brasil/municipios.ts'
import type { Territorio } from '../../../caller/territorio.ts'
import { join, type Sql, sql } from '../../../db/sql.ts'
import { type Columns, test, where } from '../../../db/where.ts'
import { type FieldValue, type Filter, type FilterTest, valuesOf } from '../../../filter.ts'
import {
  isLimited,
  municipiosOf,
  municipiosOfRegioes,
  notifiedOf,
  type Period,
  partsOfTerritorio,
  sintomasOf,
  TERRITORIO,
  TERRITORIO_NOTIFICACAO,
} from '../counters/scope.ts'
import { classesNamed } from '../enumeracoes.ts'
import { withinTerritorio } from '../territorio.ts'

export type CasoColumns = Columns

const FIELDS: Columns['fields'] = {
  id: sql`c.id`,
  tipo_agravo: sql`c.tipo_agravo`,
  agravo_codigo: sql`c.tipo_agravo`,
  numero_notificacao: sql`c.numero_notificacao`,
  data_notificacao: sql`c.data_notificacao`,
  data_inicio_sintomas: sql`c.data_inicio_sintomas`,
  data_obito: sql`c.data_obito`,
  data_encerramento: sql`c.data_encerramento`,
  estado: sql`c.estado_residencia`,
  bairro: sql`c.bairro_residencia`,
  zona: sql`c.zona_residencia`,
  // Cast: a filter may ask for integers beyond smallint.
  idade: sql`c.paciente_idade::integer`,
  sexo: sql`c.paciente_sexo`,
  gestante: sql`c.paciente_gestante`,
  raca: sql`c.paciente_raca`,
  classificacao_final: sql`c.classificacao_final`,
  criterio_confirmacao: sql`c.criterio_confirmacao`,
  evolucao: sql`c.evolucao`,
  hospitalizacao: sql`c.hospitalizacao`,
  status: sql`c.status`,
  importacao_id: sql`c.importacao_id`,
  responsavel_id: sql`c.responsavel_id`,
  cnes: sql`c.unidade_cnes`,
  criado_em: sql`c.criado_em`,
  atualizado_em: sql`c.atualizado_em`,
  // Sort keys only: as filters they are conditions, below.
  municipio: sql`c.municipio_residencia`,
  semana_epidemiologica: sql`c.data_notificacao`,
  semana_epidemiologica_sintomas: sql`c.data_inicio_sintomas`,
  classificacao: sql`c.classificacao_final`,
}

const REQUIRED = new Set([
  'id',
  'tipo_agravo',
  'numero_notificacao',
  'data_notificacao',
  'semana_epidemiologica',
  'status',
  'criado_em',
  'atualizado_em',
])

/** Fields of the list as SQL; the same for list, count, statistics, map and export. */
export function casoColumns(municipios: Municipios): CasoColumns {
  return {
    fields: FIELDS,
    required: REQUIRED,
    // Texts of the JSON column: `true`, `false`, codes.
    family: { prefix: ESPECIFICO, column: (nome) => sql`c.dados ->> ${nome}` },
    conditions: {
      data_inicio: ({ value }) => sql`c.data_notificacao >= ${value}`,
      data_notificacao_inicio: ({ value }) => sql`c.data_notificacao >= ${value}`,
      data_fim: ({ value }) => sql`c.data_notificacao <= ${value}`,
      data_notificacao_fim: ({ value }) => sql`c.data_notificacao <= ${value}`,
      classificacao: classificacaoTest,
      municipio: (filter) => municipioTest(filter, municipiosOf(filter, municipios)),
      regiao_saude: (filter) => municipioTest(filter, municipiosOfRegioes(filter, municipios)),
      // A known municipality has a known state: these are all cases that lack either.
      lugar: () => sql`c.municipio_residencia is null`,
      cnes: (filter) => test(sql`c.unidade_cnes`, padded(filter)),
      semana_epidemiologica: (filter) => semanaTest(filter, sql`c.data_notificacao`),
      semana_epidemiologica_sintomas: (filter) => {
        const period = sintomasOf(filter)
        return period === null ? sql`false` : hasOnsetIn(period, (day) => sql`${day}`)
      },
      [TERRITORIO]: territorioTest,
      [TERRITORIO_NOTIFICACAO]: (filter) => notificacaoTest(filter, municipios),
    },
    search: (contains) => sql`(plain(c.numero_notificacao) like plain(${contains})
      or plain(c.bairro_residencia) like plain(${contains}))`,
  }
}

/** Beginning of filters by a field of a disease's own. */
export const ESPECIFICO = 'especifico.'

const EVERY: Filter = { kind: 'and', of: [] }

/** Condition on `c`, a case or a staged line: by residence or by notification inside; never null. */
export function isInside(territorio: Territorio, municipios: Municipios): Sql {
  const of = [
    withinTerritorio(EVERY, { territorio }, 'residencia'),
    withinTerritorio(EVERY, { territorio }, 'notificacao'),
  ]
  return sql`coalesce(${where({ kind: 'or', of }, casoColumns(municipios))}, false)`
}

/** Pads a CNES code with zeros to seven digits, as it is stored. */
function padded(filter: FilterTest): FilterTest {
  const pad = (value: FieldValue) => String(value).padStart(7, '0')
  return filter.op === 'in'
    ? { ...filter, value: filter.value.map(pad) }
    : { ...filter, value: pad(filter.value) }
}

function classificacaoTest(filter: FilterTest): Sql {
  const classes = valuesOf(filter).flatMap((value) => classesNamed(String(value)))
  const any = sql`coalesce(c.classificacao_final, '') = any(${classes})`
  return filter.op === 'ne' ? sql`not ${any}` : any
}

function municipioTest(filter: FilterTest, municipios: Municipio[]): Sql {
  const any = sql`c.municipio_residencia = any(${municipios.map(({ codigo }) => codigo)}::integer[])`
  return filter.op === 'ne' ? sql`not coalesce(${any}, false)` : any
}

function territorioTest(filter: FilterTest): Sql {
  const { ufs, codigos } = partsOfTerritorio(filter)
  return sql`(c.estado_residencia = any(${ufs}) or c.municipio_residencia = any(${codigos}::integer[]))`
}

/** A state by all its municipalities: the place of notification has no column for its state. */
function notificacaoTest(filter: FilterTest, municipios: Municipios): Sql {
  const { ufs, codigos } = partsOfTerritorio(filter)
  const ofStates = municipios.all.filter(({ uf }) => ufs.includes(uf)).map(({ codigo }) => codigo)
  return sql`c.municipio_notificacao = any(${[...codigos, ...ofStates]}::integer[])`
}

/** Plausible onset in a period; the days of notification that follow from it give an index its range. */
export function hasOnsetIn(period: Period, bind: (day: string) => Sql): Sql {
  if (!isLimited(period)) return sql`true`
  const isIn = (day: Sql, { from, to }: Period) =>
    sql`${from === null ? sql`true` : sql`${day} >= ${bind(from)}`} and ${to === null ? sql`true` : sql`${day} <= ${bind(to)}`}`
  return sql`(${isIn(sql`c.data_inicio_sintomas`, period)} and ${isIn(sql`c.data_notificacao`, notifiedOf(period))}
    and isfinite(semana_sintomas(c.data_inicio_sintomas, c.data_notificacao)))`
}

/** Compares weeks by their days. A week 53 that its year does not have holds no day, but compares with other weeks. */
export function semanaTest(filter: FilterTest, day: Sql): Sql {
  const codigos = valuesOf(filter).map(String)
  const [codigo = ''] = codigos
  switch (filter.op) {
    case 'gte':
      return sql`${day} >= ${firstDayOf(codigo)}`
    case 'lt':
      return sql`${day} < ${firstDayOf(codigo)}`
    case 'gt':
      return sql`not ${notAfter(codigo)}`
    case 'lte':
      return notAfter(codigo)
    default: {
      const semanas = codigos.map(semanaByCodigo).filter((semana) => semana !== null)
      const days = semanas.map(({ inicio, fim }) => sql`${day} between ${inicio} and ${fim}`)
      const any = sql`(${join([sql`false`, ...days], ' or ')})`
      return filter.op === 'ne' ? sql`not ${any}` : any
    }
  }

  function notAfter(codigo: string): Sql {
    const semana = semanaByCodigo(codigo)
    return semana ? sql`(${day} <= ${semana.fim})` : sql`(${day} < ${firstDayOf(codigo)})`
  }
}
