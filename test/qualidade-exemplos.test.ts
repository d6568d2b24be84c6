import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addDays } from '../src/brasil/calendar.ts'
import { type Campos, EMPTY_CASE } from '../src/domain/casos/campos.ts'
import { statusOf } from '../src/domain/casos/regras.ts'
import { consultaApp } from './contracts/b/casos-consulta-app.ts'
import { store } from './qualidade-cases.ts'
import { EXEMPLOS, type QualidadeDeExemplo } from './qualidade-exemplos.ts'

/**
 * Records with the figures of real files: each field filled in as often, the same days of every delay, the same contradictions.
 * What the interface says of them is what another program said of the files.
 */
const { t, read } = await consultaApp()
after(() => t.close())

const daysOf = (histogram: string): number[] =>
  histogram
    .split(/\s+/)
    .filter((pair) => pair !== '')
    .flatMap((pair) => {
      const [days = 0, count = 0] = pair.split(':').map(Number)
      return Array<number>(count).fill(days)
    })

/** Fields are filled in from the first record on, the criterion from the last: those that are not closed have one. */
function registrosOf({ casos, completude, inconsistencias, ...exemplo }: QualidadeDeExemplo): Campos[] {
  const { tipo_agravo, notificacao: data_notificacao } = exemplo
  const dias = {
    notificacao: daysOf(exemplo.dias.notificacao),
    digitacao: daysOf(exemplo.dias.digitacao),
    encerramento: daysOf(exemplo.dias.encerramento),
  }
  const after = (days: number | undefined) => (days === undefined ? null : addDays(data_notificacao, days))
  const filled = (campo: string, i: number) => i < (completude[campo]?.[0] ?? 0)
  const contradicts = (codigo: string, i: number) => i < (inconsistencias[codigo] ?? 0)
  let inconclusive = exemplo.encerrado_automatico
  return Array.from({ length: casos }, (_, i) => {
    const onset = dias.notificacao[i] ?? 20_000
    const isAutomatic = dias.encerramento[i] === 61 && inconclusive-- > 0
    const isClosed = i < dias.encerramento.length
    const hasCriterion = i >= casos - (completude.criterio_confirmacao?.[0] ?? 0)
    // Deaths from the first record on, a date of death without one at the last whose outcome is known.
    const isLastKnown = i === (completude.evolucao?.[0] ?? 0) - 1
    const campos = {
      ...EMPTY_CASE,
      tipo_agravo,
      numero_notificacao: `${data_notificacao}/${i}`,
      data_notificacao,
      data_inicio_sintomas: filled('data_inicio_sintomas', i) ? after(-onset) : null,
      'dados_especificos.data_digitacao': after(dias.digitacao[i]),
      data_encerramento: after(dias.encerramento[i]),
      data_obito: isLastKnown && contradicts('data_obito_sem_obito', 0) ? data_notificacao : null,
      data_internacao:
        i >= casos - (inconsistencias.data_internacao_sem_internacao ?? 0) ? data_notificacao : null,
      municipio_residencia: filled('municipio_residencia', i) ? 2_611_606 : null,
      estado_residencia: 'PE',
      paciente_sexo: filled('sexo', i) ? 'F' : 'I',
      paciente_idade: filled('idade', i) ? 60 : null,
      paciente_raca: filled('raca', i) ? 'parda' : 'ignorado',
      paciente_escolaridade: filled('escolaridade', i) ? 'nao_se_aplica' : 'ignorado',
      classificacao_final: filled('classificacao_final', i)
        ? isAutomatic
          ? 'inconclusivo'
          : 'descartado'
        : null,
      criterio_confirmacao: hasCriterion ? (isClosed ? 'laboratorial' : 'em_investigacao') : null,
      evolucao: filled('evolucao', i) ? (contradicts('obito_sem_data', i) ? 'obito' : 'cura') : 'ignorado',
      hospitalizacao: filled('hospitalizacao', i) ? contradicts('internado_sem_data', i) : null,
    } as unknown as Campos
    return { ...campos, status: statusOf(campos) }
  })
}

const near = (value: number | null, expected: number | null, text: string) =>
  assert.ok(
    expected === null ? value === null : Math.abs((value ?? Number.NaN) - expected) <= 0.01,
    `${text}: ${value}, ${expected}`,
  )

describe('Quality of real files', () => {
  for (const [nome, exemplo] of Object.entries(EXEMPLOS))
    it(`has the counts and shares of qualidade_${nome}.json`, async () => {
      await store(t, registrosOf(exemplo), t.clock.now())
      const { tipo_agravo, notificacao, casos } = exemplo
      const body = await read('/agravos/casos/qualidade', {
        ...{ tipo_agravo, data_inicio: notificacao, data_fim: notificacao },
      })
      assert.equal(body.casos, casos)
      for (const [campo, [preenchidos, pct]] of Object.entries(exemplo.completude)) {
        const found = body.completude.find((one: { campo: string }) => one.campo === campo)
        assert.deepEqual([found.preenchidos, found.de], [preenchidos, casos], campo)
        near(found.pct, pct, campo)
      }
      for (const [medida, [[n, ...quantiles], no_prazo, pct]] of Object.entries(exemplo.oportunidade)) {
        const found = body.oportunidade[medida]
        assert.deepEqual([found.n, found.no_prazo], [n, no_prazo], medida)
        for (const [i, name] of ['p25', 'mediana', 'p75', 'p90'].entries())
          near(found[name], quantiles[i] ?? null, `${medida}.${name}`)
        near(found.pct, pct, medida)
      }
      assert.equal(body.oportunidade.encerramento.de, casos)
      const totals = Object.fromEntries(
        body.inconsistencias.map(({ codigo, total }: { codigo: string; total: number }) => [codigo, total]),
      )
      for (const [codigo, total] of Object.entries(exemplo.inconsistencias))
        assert.equal(totals[codigo], total, codigo)
      assert.equal(body.encerrado_automatico, exemplo.encerrado_automatico)
    })
})
