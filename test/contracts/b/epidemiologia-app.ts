// What the tests of weekly epidemiology share: cases by week, written into the database in one statement.
import { addDays } from '../../../src/brasil/calendar.ts'
import { semanaByCodigo } from '../../../src/brasil/epi-week.ts'
import { sql } from '../../../src/db/sql.ts'
import type { CurvaDeExemplo } from '../../domain/epidemiologia/exemplos-curva.ts'
import { linhasDe } from '../../domain/epidemiologia/exemplos-diagrama.ts'
import { consultaApp } from './casos-consulta-app.ts'

export interface CasoDaSemana {
  tipo?: string
  municipio?: number | null
  uf?: string
  inicio: string | null
  notificacao?: string
  digitacao?: string | null
  classe?: string | null
  hospitalizacao?: boolean | null
  evolucao?: string | null
  sexo?: string | null
  idade?: number | null
  sorotipo?: string | null
}

export const RECIFE = 2611606
export const OLINDA = 2609600

export async function epidemiologiaApp() {
  const app = await consultaApp()
  const { pool } = app.t.database

  let number = 0
  async function insert(casos: readonly CasoDaSemana[]): Promise<void> {
    const rows = casos.map((caso) => {
      const notificacao = caso.notificacao ?? (caso.inicio === null ? '2024-01-10' : addDays(caso.inicio, 3))
      const place = { tipo: 'dengue', municipio: RECIFE, uf: 'PE' }
      return { ...place, digitacao: notificacao, ...caso, notificacao, numero: `e${++number}` }
    })
    await pool.run(sql`
      insert into casos (tipo_agravo, numero_notificacao, data_notificacao, data_inicio_sintomas, data_digitacao,
        municipio_residencia, estado_residencia, classificacao_final, hospitalizacao, evolucao, paciente_sexo, paciente_idade,
        dados, status, criado_em, atualizado_em)
      select tipo, numero, notificacao, inicio, digitacao, municipio, uf, classe, hospitalizacao, evolucao, sexo, idade,
        json_strip_nulls(json_build_object('sorotipo', sorotipo)), 'em_investigacao', now(), now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (tipo text, numero text, notificacao date, inicio date,
        digitacao date, municipio integer, uf text, classe text, hospitalizacao boolean, evolucao text,
        sexo text, idade smallint, sorotipo text)`)
  }

  const read = (rota: string, query: Record<string, string | number>, person = app.vigilante) =>
    app.read(`/agravos/casos/estatisticas/${rota}`, toStrings(query), person)
  const ask = (rota: string, query: Record<string, string | number>, headers: Record<string, string> = {}) =>
    app.t
      .as(app.vigilante)
      .get(`/agravos/casos/estatisticas/${rota}?${new URLSearchParams(toStrings(query))}`, { headers })

  return {
    ...app,
    pool,
    insert,
    read,
    ask,
    resumo: app.read.bind(null, '/agravos/casos/estatisticas/resumo'),
  }
}

const toStrings = (query: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

/** Cases of residents of Recife that give the weeks of an example, those with an impossible onset included. */
export function casosDeExemplo(
  tipo: string,
  { semanas, inicio_implausivel }: CurvaDeExemplo,
): CasoDaSemana[] {
  const weekly = (linhasDe(semanas) as [number, ...number[]][]).flatMap(
    ([codigo, notificados = 0, , confirmados = 0, descartados = 0, hospitalizados = 0, obitos = 0]) => {
      const domingo = semanaByCodigo(String(codigo))?.inicio as string
      return Array.from({ length: notificados }, (_, i) => ({
        tipo,
        inicio: addDays(domingo, i % 7),
        classe: i < confirmados ? 'confirmado' : i < confirmados + descartados ? 'descartado' : null,
        hospitalizacao: i < hospitalizados,
        evolucao: i < obitos ? 'obito' : null,
      }))
    },
  )
  const implausible = { tipo, inicio: '1970-05-20', notificacao: '2023-02-01' }
  return [...weekly, ...Array.from({ length: inicio_implausivel }, () => implausible)]
}
