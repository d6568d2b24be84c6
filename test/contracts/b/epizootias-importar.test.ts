import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { bind } from '../../harness/bound.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'

import { epizootiasApp, MINISTERIO, OLINDA, PALMAS, problemsOf, RECIFE } from './epizootias-app.ts'

const e = await epizootiasApp()
const { t, pool, gestor, analista, leitor, registrar, ler, run, importar, desfazer } = e
after(() => t.close())

const state = () =>
  pool.value<string>(sql`
    select md5(coalesce(string_agg((to_jsonb(e) - array['id', 'versao', 'atualizado_em', 'importacao_id', 'importacao_linha',
      'importacao_versao', 'criado_em', 'criado_por_importacao', 'observacao'])::text, ',' order by id), '')) from epizootias e`)
const contagens = () =>
  pool.rows(sql`
    select municipio, suspeita, classificacao, inicio, sum(eventos) as eventos from epizootias_contagens
    group by 1, 2, 3, 4 having sum(eventos) <> 0 order by 1, 2, 3, 4`)
const naoContadas = () =>
  pool.rows(sql`
    select municipio, suspeita, classificacao, inicio_da_epizootia(data_ocorrencia, mes_ocorrencia, ano_ocorrencia) as inicio,
      count(*) as eventos
    from epizootias where excluido_em is null group by 1, 2, 3, 4 order by 1, 2, 3, 4`)

/** Latin-1, as the Ministry publishes it: days, one month alone, one year alone, one state in lower case. */
const ministerio = () => {
  const lines = [
    MINISTERIO,
    '1;CO;52;GO;521100;ITAPIRAPUÃ;;;2;2000;1999/2000',
    '2;CO;52;GO;521970;SANTA TEREZINHA DE GOIÁS;;;;2000;1999/2000',
    '3;SE;35;SP;352760;LUÍS ANTÔNIO;22/04/2025;99;4;2025;2024/2025',
    '4;SE;31;MG;317170;VIRGÍNIA;13/04/2025;16;4;2025;2024/2025',
    '5;SE;31;MG;317170;VIRGÍNIA;14/04/2025;16;4;2025;2024/2025',
    '6;S;41;pr;410690;CURITIBA;21/01/2020;04;1;2020;2019/2020',
    '7;S;41;PR;410690;CURITIBA;27/12/2019;52;12;2020;2019/2020',
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')
}

describe('The file of the Ministry', () => {
  it('brings confirmed events of primates, again nothing, and undone nothing is left', async () => {
    const before = await state()
    const dry = await importar(ministerio(), { modo: 'validar' })
    assert.deepEqual([dry.importados, dry.erros, dry.avisos, dry.importacao_id], [7, 0, 1, null])
    assert.equal(await state(), before)
    const { importacao_id, arquivo, ...done } = await importar(ministerio())
    assert.deepEqual(
      [done.total_linhas, done.importados, done.atualizados, done.inalterados, done.erros, arquivo.layout],
      [7, 7, 0, 0, 0, 'ministerio_pnh'],
    )
    const { items } = await ler(`/epizootias?importacao_id=${importacao_id}&sort=id&order=asc`)
    const one = items.find(({ numero }: { numero: string }) => numero === 'MS-3')
    assert.deepEqual(
      [one.especie_grupo, one.suspeita, one.classificacao, one.criterio, one.data_ocorrencia, one.semana],
      ['pnh', 'febre_amarela', 'confirmada', 'laboratorial', '2025-04-22', '202517'],
    )
    assert.deepEqual(items.map(({ precisao_data }: { precisao_data: string }) => precisao_data).sort(), [
      'ano',
      'dia',
      'dia',
      'dia',
      'dia',
      'dia',
      'mes',
    ])
    const years = await ler('/epizootias/estatisticas?agregacao=ano')
    assert.deepEqual(
      years.periodos.map(({ periodo, eventos }: { periodo: string; eventos: number }) => [periodo, eventos]),
      [
        ['2000', 2],
        // One of them in December 2019: the source counts it in 2020.
        ['2020', 2],
        ['2025', 3],
      ],
    )
    const weeks = await ler('/epizootias/estatisticas?agrupar_por=estado')
    assert.deepEqual([weeks.eventos, weeks.sem_data], [7, { mes: 1, ano: 1 }])
    assert.deepEqual(
      weeks.grupos.map(({ valor, eventos }: { valor: string; eventos: number }) => [valor, eventos]),
      [
        ['GO', 2],
        ['MG', 2],
        ['PR', 2],
        ['SP', 1],
      ],
    )
    // The year of the source stays when something else changes.
    const odd = items.find(({ numero }: { numero: string }) => numero === 'MS-7')
    await t.as(analista).put(`/epizootias/${odd.id}`, { localidade: 'Parque' })
    assert.equal((await ler(`/epizootias/${odd.id}`)).ano_ocorrencia, 2020)
    await t.as(analista).put(`/epizootias/${odd.id}`, { localidade: null })
    const again = await importar(ministerio())
    assert.deepEqual([again.importados, again.atualizados, again.inalterados], [0, 0, 7])
    const simulated = await desfazer(importacao_id, { simular: true })
    assert.equal(simulated.result.removidos, 6)
    const { result } = await desfazer(importacao_id)
    assert.deepEqual([result.removidos, result.restaurados, result.total_mantidos], [6, 0, 1])
    assert.equal((await t.as(gestor).delete(`/epizootias/${odd.id}?motivo=fim`)).status, 204)
    assert.equal((await ler('/epizootias')).total, 0)
    assert.deepEqual(await contagens(), [])
    const twice = await t.as(analista).post(`/epizootias/importacoes/${importacao_id}/desfazer`)
    assert.equal(twice.status, 409)
    const { items: listed } = await ler('/epizootias/importacoes', analista)
    assert.deepEqual(
      listed.map((i: { importados: number; desfeita_em: unknown }) => [i.importados, i.desfeita_em !== null]),
      [
        [0, false],
        [7, true],
      ],
    )
    assert.equal(
      (await ler(`/epizootias/importacoes/${importacao_id}`, analista)).arquivo.layout,
      'ministerio_pnh',
    )
    assert.equal((await t.as(analista).get('/epizootias/importacoes/999999')).status, 404)
    assert.equal((await t.as(analista).get(`/series/importacoes/${importacao_id}`)).status, 404)
    const told = await pool.rows<{ tipo: string; alvo: string }>(sql`
      select tipo, dados->>'alvo' as alvo from eventos_novos where chave = ${`importacao:${importacao_id}`} order by numero`)
    assert.deepEqual(told, [
      { tipo: 'importacao.concluida', alvo: 'epizootias' },
      { tipo: 'importacao.desfeita', alvo: 'epizootias' },
    ])
  })
})

const HEADER =
  'numero;data_ocorrencia;municipio;estado;especie_grupo;suspeita;classificacao;criterio;animais_mortos;observacao'

describe('Our own layout', () => {
  it('changes what differs, and its undoing restores it but for what somebody changed since', async () => {
    const kept = await registrar({ numero: 'P1', municipio: RECIFE, animais_mortos: 1, observacao: 'antes' })
    const touched = await registrar({ numero: 'P2', municipio: RECIFE, animais_mortos: 1 })
    const before = await state()
    const { importacao_id, ...done } = await importar(
      [
        HEADER,
        'P1;2026-01-12;Recife;PE;pnh;febre_amarela;confirmada;laboratorial;4;depois',
        'P2;12/01/2026;2611606;;PNH;Febre amarela;;;7;',
        'P3;2026-01-12;Olinda;PE;canideo;raiva;;;;nova',
        'P3;2026-01-12;Olinda;PE;canideo;raiva;;;;nova',
      ].join('\n'),
    )
    assert.deepEqual(
      [done.importados, done.atualizados, done.inalterados, done.duplicados_no_arquivo, done.erros],
      [1, 2, 0, 1, 0],
    )
    const read = await ler(`/epizootias/${kept}`, analista)
    assert.deepEqual(
      [read.classificacao, read.animais_mortos, read.observacao, read.versao],
      ['confirmada', 4, 'depois', 2],
    )
    assert.deepEqual(await contagens(), await naoContadas())
    // An empty cell says nothing.
    assert.equal((await ler(`/epizootias/${touched}`)).classificacao, 'em_investigacao')
    await t.as(analista).put(`/epizootias/${touched}`, { especie: 'Sapajus' })
    const { result } = await desfazer(importacao_id)
    assert.deepEqual([result.removidos, result.restaurados, result.total_mantidos], [1, 1, 1])
    assert.deepEqual(result.mantidos, [{ id: touched, numero: 'P2' }])
    const back = await ler(`/epizootias/${kept}`, analista)
    assert.deepEqual(
      [back.classificacao, back.criterio, back.animais_mortos, back.observacao],
      ['em_investigacao', null, 1, 'antes'],
    )
    await t.as(analista).put(`/epizootias/${touched}`, { especie: null, animais_mortos: 1 })
    assert.equal(await state(), before)
    assert.deepEqual(await contagens(), await naoContadas())
  })

  it('refuses wrong lines with their reasons, all or only them', async () => {
    const before = await state()
    const file = [
      HEADER,
      'R1;2026-01-12;Recife;PE;pnh;febre_amarela;;;;',
      'R2;2026-13-12;Recife;PE;pnh;febre_amarela;;;;',
      'R3;2026-01-12;Nenhures;PE;pnh;febre_amarela;;;;',
      'R4;2026-01-12;Recife;PE;pnh;gripe;;;;',
      'R5;2026-01-12;Recife;PE;pnh;febre_amarela;confirmada;;;',
      'R6;2099-01-12;Recife;PE;pnh;febre_amarela;;;;',
      ';2026-01-12;Recife;PE;pnh;febre_amarela;;;;',
      'R1;2026-01-12;Olinda;PE;pnh;febre_amarela;;;;',
      'R7;2026-01-12;Recife;SP;peixe;febre_amarela;;;;',
    ].join('\n')
    const refused = await run(file)
    assert.equal(refused.status, 'failed')
    assert.deepEqual([refused.resultado.importados, refused.resultado.erros], [0, 8])
    assert.equal(await state(), before)
    const done = await importar(file, { ignorar_erros: 'true' })
    assert.deepEqual([done.importados, done.erros], [1, 8])
    const lines = done.erros_detalhados.map(({ linha }: { linha: number }) => linha)
    assert.deepEqual(lines, [3, 4, 5, 6, 7, 8, 9, 10])
    const file2 = await t.as(analista).get(`/jobs/${refused.job_id}/rejeitados`)
    assert.equal(file2.status, 200)
    assert.match(file2.text, /R2;.*não reconhecido/)
  })

  it('refuses a file that is none of events, and one with nothing in it', async () => {
    for (const content of ['a;b\n1;2\n', ' ', 'PK\u0003\u0004xx']) {
      const { status, message } = await run(content)
      assert.equal(status, 'failed', message)
    }
    const answer = await t.as(leitor).request('POST', '/epizootias/bulk', {
      headers: MULTIPART,
      payload: multipart({ field: 'file', content: 'a', filename: 'a.csv' }),
    })
    assert.equal(answer.status, 403)
    const none = await t.as(analista).request('POST', '/epizootias/bulk', {
      headers: MULTIPART,
      payload: multipart({ field: 'modo', content: 'gravar' }),
    })
    assert.deepEqual([none.status, problemsOf(none).length > 0], [422, true])
  })

  it('stays inside of the territory of its sender, and is undone by others only with the right to delete', async () => {
    const bound = await bind(t, await t.person({ grupos: ['analista'] }), 'uf:PE')
    await registrar({ numero: 'T1', municipio: PALMAS })
    const file = [
      HEADER,
      `T1;2026-01-12;${OLINDA};;pnh;febre_amarela;;;;`,
      `T2;2026-01-12;${PALMAS};;pnh;febre_amarela;;;;`,
      `T3;2026-01-12;${OLINDA};;pnh;febre_amarela;;;;`,
    ].join('\n')
    const done = await importar(file, { ignorar_erros: 'true', by: bound })
    assert.deepEqual([done.importados, done.atualizados, done.erros], [1, 0, 2])
    const { importacao_id: wide } = await importar(`${HEADER}\nT9;2026-01-12;${PALMAS};;pnh;raiva;;;;\n`)
    assert.equal((await t.as(bound).get(`/epizootias/importacoes/${wide}`)).status, 404)
    const path = `/epizootias/importacoes/${done.importacao_id}/desfazer`
    assert.equal((await t.as(analista).post(path)).status, 403)
    const mixed = await importar(
      `${HEADER}\nT7;2026-01-12;${PALMAS};;pnh;raiva;;;;\nT8;2026-01-12;${OLINDA};;pnh;raiva;;;;\n`,
      { by: gestor },
    )
    const chief = await bind(t, await t.person({ grupos: ['gestor'] }), 'uf:PE')
    const outside = await t.as(chief).post(`/epizootias/importacoes/${mixed.importacao_id}/desfazer`)
    assert.deepEqual([outside.status, outside.body.error.code], [403, 'OUT_OF_TERRITORY'])
    const { status } = await desfazer(done.importacao_id, { by: gestor })
    assert.equal(status, 'completed')
  })

  it('an event by two imports: the later is undone first, then the earlier', async () => {
    const line = (mortos: number) => `${HEADER}\nD1;2026-01-12;${OLINDA};;pnh;raiva;;;${mortos};\n`
    const first = await importar(line(1))
    const second = await importar(line(2))
    const early = await desfazer(first.importacao_id, { simular: true })
    assert.deepEqual([early.result.removidos, early.result.total_mantidos], [0, 1])
    assert.equal((await desfazer(second.importacao_id)).result.restaurados, 1)
    assert.equal((await ler('/epizootias?numero=D1')).items[0].animais_mortos, 1)
    const late = await desfazer(first.importacao_id)
    assert.deepEqual([late.result.removidos, late.result.total_mantidos], [1, 0])
  })
})

describe('With an Idempotency-Key', () => {
  it('an import is made once: the key of one under way is 409', async () => {
    const waiting = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    const headers = { ...MULTIPART, 'idempotency-key': 'em curso' }
    const payload = multipart({ field: 'file', content: 'a;b\n', filename: 'a.csv' })
    const act = () => t.as(analista).request('POST', '/epizootias/bulk', { headers, payload })
    const { first } = await pool.transaction(async (tx) => {
      await tx.run(sql`select from usuarios for update`)
      const first = act()
      while ((await tx.first(waiting)) === null) await sleep(10)
      assert.equal((await act()).status, 409)
      return { first }
    })
    assert.equal((await first).status, 202)
    assert.equal((await act()).headers['idempotent-replay'], 'true')
    assert.equal((await t.as(analista).post('/epizootias/importacoes/0/desfazer')).status, 422)
  })
})
