import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ZIKA_POR_ESTADO } from '../../domain/epidemiologia/exemplos-curva.ts'
import { type CasoDaSemana, epidemiologiaApp } from './epidemiologia-app.ts'

const app = await epidemiologiaApp()
const { t, insert, read } = app
after(() => t.close())

const ESTADOS = ZIKA_POR_ESTADO.trim()
  .split('\n')
  .map((line) => {
    const [head = '', ...anos] = line.split('|').map((part) => part.trim())
    const [estado = '', total, implausible] = head.split(' ')
    const years = anos.map((ano) => ano.split(' ').map(Number))
    return { estado, total: Number(total), implausible: Number(implausible), years }
  })

/** Cases of a state in the middle of each year, of no known municipality. */
function casosOf({ estado: uf, implausible, years }: (typeof ESTADOS)[number]): CasoDaSemana[] {
  const place = { tipo: 'zika', uf, municipio: null }
  const dated = years.flatMap(
    ([ano, , , notificados = 0, , confirmados = 0, descartados = 0, , obitos = 0]) =>
      Array.from({ length: notificados }, (_, i) => ({
        ...place,
        inicio: `${ano}-06-${String((i % 28) + 1).padStart(2, '0')}`,
        classe: i < confirmados ? 'confirmado' : i < confirmados + descartados ? 'descartado' : null,
        evolucao: i < obitos ? 'obito' : null,
      })),
  )
  const birthDate = { ...place, inicio: '1970-05-20', notificacao: '2021-02-01' }
  return [...dated, ...Array.from({ length: implausible }, () => birthDate)]
}

before(async () => {
  for (const estado of ESTADOS) await insert(casosOf(estado))
})

describe('GET /agravos/casos/estatisticas/curva', () => {
  it('has the years of each state in zika_brasil_2021_por_uf.json', async () => {
    assert.equal(ESTADOS.length, 27)
    const period = { tipo_agravo: 'zika', semana_inicio: 202001, semana_fim: 202152 }
    for (const { estado, total, implausible, years } of ESTADOS) {
      const body = await read('curva', { ...period, estado })
      assert.deepEqual(
        [body.lugar.codigo, body.total, body.sem_data, body.inicio_implausivel],
        [estado, total, 0, implausible],
      )
      for (const row of years) {
        const [ano, semanas, populacao, notificados, provaveis, confirmados, descartados] = row
        const found = body.anos.find((one: { ano: number }) => one.ano === ano)
        assert.deepEqual(
          [found.semanas, found.populacao, found.populacao_ano, found.casos],
          [semanas, populacao, ano, provaveis],
          estado,
        )
        assert.ok(Math.abs(found.incidencia - (row[9] as number)) <= 0.0001, `${estado} ${ano}`)
        const weeks = body.semanas.filter(({ semana }: { semana: string }) => semana.startsWith(`${ano}`))
        const sum = (name: string) =>
          weeks.reduce((all: number, week: Record<string, number>) => all + (week[name] ?? 0), 0)
        assert.deepEqual(
          ['notificados', 'confirmados', 'descartados', 'hospitalizados', 'obitos'].map(sum),
          [notificados, confirmados, descartados, row[7], row[8]],
          estado,
        )
      }
    }
    const pais = await read('curva', period)
    assert.equal(
      pais.total,
      ESTADOS.reduce((all, { total }) => all + total, 0),
    )
  })
})
