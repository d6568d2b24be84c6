import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { anoOfWeek, firstWeekOf, semanaAt } from '../../../src/brasil/epi-week.ts'
import { sql } from '../../../src/db/sql.ts'
import { canonicalJson } from '../../../src/domain/canonical.ts'
import { boletinsApp } from './boletins-app.ts'
import { OLINDA, RECIFE } from './epidemiologia-app.ts'

const app = await boletinsApp()
const { t, pool, autora, ended, semana, make, readBoletim, readRoute, outbreak, vigilante } = app
after(() => t.close())

before(async () => {
  await outbreak([...Array<number>(30).fill(6), 8, 12, 20, 30, 44, 60, 70, 52])
  await outbreak([2, 0, 9, 14, 3], { municipio: OLINDA, classe: 'dengue_grave', evolucao: 'obito' })
  await outbreak([4, 4, 4], { tipo: 'zika' })
})

type Row = Record<string, unknown>
const pick = (rows: Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]))
const of = (codes: { semana: string }[]) => codes.map((one) => one.semana)
const boletins = () => pool.value<number>(sql`select count(*) from boletins`)
const jobs = () => pool.value<number>(sql`select count(*) from jobs`)

describe('A bulletin', () => {
  it('has the numbers that the routes of epidemiology answer', async () => {
    const { cabecalho, dados } = await readBoletim(await make({ tipo_agravo: 'dengue', estado: 'PE' }))
    const place = { tipo_agravo: 'dengue', estado: 'PE' }
    const ano = anoOfWeek(ended)
    const begin = semanaAt(firstWeekOf(ano)).codigo
    const [secao] = dados.secoes
    assert.deepEqual(cabecalho.lugar, { nivel: 'estado', codigo: 'PE', nome: 'Pernambuco', estado: 'PE' })
    assert.equal(cabecalho.semana.semana, semana)

    const curva = await readRoute('curva', {
      ...place,
      semana_inicio: begin,
      semana_fim: semana,
      comparar_anos: 1,
    })
    const names = ['semana', 'inicio', 'fim', 'casos', 'incidencia']
    assert.deepEqual(pick(secao.curva.anos[0].semanas, ...names), pick(curva.semanas, ...names))
    const last = curva.semanas.at(-1)
    const { numeros } = secao
    assert.deepEqual(
      [numeros.casos_ano.valor, numeros.incidencia_ano.valor, numeros.casos_ano_anterior.valor],
      [last.acumulado, last.acumulado_incidencia, curva.comparacao[0].casos],
    )
    const recent = curva.semanas.slice(-4).reduce((sum: number, { casos }: Row) => sum + Number(casos), 0)
    assert.equal(numeros.casos_4_semanas.valor, recent)
    assert.equal(secao.curva.anos.length, 3)

    const nowcast = await readRoute('nowcast', { ...place, casos: 'provaveis', semanas: 12 })
    const estimates = ['semana', 'conhecidos', 'estimados', 'inferior_95', 'superior_95']
    assert.deepEqual(
      pick(secao.curva.nowcast, ...estimates),
      pick(nowcast.semanas, ...estimates).toReversed(),
    )

    const rt = await readRoute('rt', {
      ...place,
      semana_inicio: semanaAt(ended - 25).codigo,
      semana_fim: semana,
    })
    const figures = ['semana', 'rt', 'inferior', 'superior', 'p_maior_1', 'confiavel', 'estimado']
    assert.deepEqual(pick(secao.rt.semanas, ...figures), pick(rt.semanas, ...figures))

    const diagrama = await readRoute('diagrama-controle', { ...place, ano })
    const limits = ['semana', 'media', 'limite_inferior', 'limite_superior']
    assert.deepEqual(pick(secao.diagrama.semanas, ...limits), pick(diagrama.semanas, ...limits))
    assert.equal(secao.diagrama.qualidade, diagrama.qualidade)
    const observed = (rows: Row[]) => pick(rows, 'semana', 'casos', 'incidencia', 'estimados', 'zona')
    const isOver = (one: Row) => String(one.semana) <= semana
    assert.deepEqual(
      observed(secao.diagrama.semanas.filter(isOver)),
      observed(diagrama.semanas.filter(isOver)),
    )
    assert.ok(
      secao.diagrama.semanas.filter((one: Row) => !isOver(one)).every((one: Row) => one.casos === null),
    )

    const found = await readRoute('indicadores', { ...place, semana_inicio: begin, semana_fim: semana })
    const cells = ['sexo', 'faixa', 'casos', 'populacao', 'incidencia']
    assert.deepEqual(pick(secao.piramide.celulas, ...cells), pick(found.piramide.celulas, ...cells))
    assert.deepEqual(
      [
        numeros.confirmados.valor,
        numeros.obitos.valor,
        numeros.letalidade.valor,
        numeros.letalidade.inferior,
      ],
      [
        found.confirmados,
        found.obitos,
        found.letalidade.confirmados.pct,
        found.letalidade.confirmados.inferior,
      ],
    )

    const situacao = await t
      .as(vigilante)
      .get('/agravos/alertas/situacao?tipo_agravo=dengue&estado=PE&nivel_lugar=municipio')
    assert.deepEqual(
      secao.mapa.lugares.map(({ codigo, nivel }: Row) => [codigo, nivel]),
      situacao.body.items.map(({ lugar, nivel }: { lugar: Row; nivel: string }) => [lugar.codigo, nivel]),
    )
    assert.equal(secao.mapa.lugares.length, 185)
    assert.deepEqual(
      secao.municipios.maior_incidencia.map(({ codigo }: Row) => codigo),
      [String(RECIFE), String(OLINDA)],
    )
    const quality = await t
      .as(vigilante)
      .get(
        `/agravos/casos/qualidade?tipo_agravo=dengue&estado=PE&data_inicio=${secao.qualidade.inicio}&data_fim=${secao.qualidade.fim}`,
      )
    const fields = new Map(quality.body.completude.map((one: Row) => [one.campo, one.pct]))
    for (const { campo, pct } of secao.qualidade.completude) assert.equal(pct, fields.get(campo), campo)
    assert.equal(secao.qualidade.casos.valor, quality.body.casos)
  })

  it('is frozen: its hash is that of its content and of the audit, and new cases do not change it', async () => {
    const id = await make({ tipo_agravo: 'dengue', municipio: String(RECIFE) })
    const before = await readBoletim(id)
    const { cabecalho, dados, hash } = before
    assert.equal(createHash('sha256').update(canonicalJson({ cabecalho, dados })).digest('hex'), hash)
    const audit = await pool.one<{ detalhes: Row; ator_id: number }>(sql`
      select detalhes, ator_id from auditoria where acao = 'boletim.criado' and recurso_id = ${String(id)}`)
    assert.deepEqual([audit.detalhes.hash, audit.ator_id], [hash, autora.id])
    await outbreak([1, 1], { municipio: OLINDA })
    assert.deepEqual(await readBoletim(id), before)
  })

  it('made again of the same cases has the same content, and the same bytes as a document', async () => {
    const pedido = {
      tipo_agravo: 'todos',
      regiao_saude: '26001',
      texto: { titulo: 'Semanal', destaques: ['a'] },
    }
    const [one, two] = [await make(pedido), await make(pedido)]
    assert.notEqual(one, two)
    const [first, second] = [await readBoletim(one), await readBoletim(two)]
    assert.equal(first.hash, second.hash)
    assert.deepEqual(first.cabecalho.agravos, ['dengue', 'zika', 'chikungunya'])
    assert.deepEqual(first.cabecalho.texto, { titulo: 'Semanal', destaques: ['a'], nota: null })
    for (const formato of ['html', 'pdf']) {
      const [a, b] = await Promise.all(
        [one, two].map((id) => t.as(autora).get(`/agravos/boletins/${id}/arquivo?formato=${formato}`)),
      )
      assert.deepEqual([a?.status, a?.text === b?.text], [200, true], formato)
    }
  })

  it('is a page without scripts, in the language of the reader, under a policy that runs nothing', async () => {
    const id = await make({ tipo_agravo: 'dengue', estado: 'PE' })
    const path = `/agravos/boletins/${id}/arquivo?formato=html`
    const page = await t.as(autora).get(path, { headers: { 'accept-language': 'en' } })
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(page.headers['content-disposition'], `inline; filename="boletim-dengue-PE-${semana}.html"`)
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; .*sandbox$/)
    assert.doesNotMatch(String(page.headers['content-security-policy']), /script-src/)
    assert.match(page.text, /^<!doctype html>\n<html lang="en-US">/)
    assert.doesNotMatch(page.text, /<script|https?:\/\//)
    const pdf = await t.as(autora).get(`/agravos/boletins/${id}/arquivo?formato=pdf`)
    assert.equal(pdf.headers['content-type'], 'application/pdf')
    assert.ok(pdf.text.startsWith('%PDF-'))
    assert.equal((await t.as(autora).get(`/agravos/boletins/${id}/arquivo?formato=docx`)).status, 422)
    assert.equal((await t.as(autora).get('/agravos/boletins/999999/arquivo?formato=pdf')).status, 404)
  })

  it('is listed newest first, by place, week and kind', async () => {
    const id = await make({ tipo_agravo: 'zika', municipio: 'Olinda', estado: 'PE', semana: '202401' })
    const { body } = await t.as(autora).get('/agravos/boletins?size=2')
    assert.deepEqual([body.items[0].id, body.items.length], [id, 2])
    assert.deepEqual(body.items[0].lugar, {
      nivel: 'municipio',
      codigo: '2609600',
      nome: 'Olinda',
      estado: 'PE',
    })
    for (const filter of ['semana=202401', 'municipio=2609600', 'tipo_agravo=zika', 'semana[lt]=202402']) {
      const listed = await t.as(autora).get(`/agravos/boletins?${filter}`)
      assert.deepEqual(of(listed.body.items), ['202401'], filter)
    }
    assert.equal((await t.as(autora).get('/agravos/boletins?municipio=nowhere')).status, 422)
  })

  it('is deleted by the one who made it or an administrator, and that is recorded', async () => {
    const id = await make({ tipo_agravo: 'dengue' })
    const other = await t.person({ permissoes: ['relatorios.gerar'] })
    assert.equal((await t.as(other).delete(`/agravos/boletins/${id}`)).status, 403)
    assert.equal((await t.as(autora).get(`/agravos/boletins/${id}`)).status, 200)
    assert.equal((await t.as(autora).delete(`/agravos/boletins/${id}`)).status, 204)
    assert.equal((await t.as(autora).delete(`/agravos/boletins/${id}`)).status, 404)
    assert.equal((await t.as(autora).delete('/agravos/boletins/x')).status, 422)
    assert.equal((await t.as(autora).get(`/agravos/boletins/${id}`)).status, 404)
    const recorded = await pool.value<number>(sql`
      select count(*) from auditoria where acao = 'boletim.excluido' and recurso_id = ${String(id)}`)
    assert.equal(recorded, 1)
    const another = await make({ tipo_agravo: 'dengue' })
    assert.equal((await t.as(await t.administrador()).delete(`/agravos/boletins/${another}`)).status, 204)
  })

  it('needs its permissions: to make and read, and to download', async () => {
    const id = await make({ tipo_agravo: 'dengue', estado: 'PE' })
    const reader = await t.person({ permissoes: ['relatorios.gerar'] })
    assert.equal((await t.as(reader).get(`/agravos/boletins/${id}`)).status, 200)
    assert.equal((await t.as(reader).get(`/agravos/boletins/${id}/arquivo?formato=html`)).status, 403)
    for (const path of ['/agravos/boletins', `/agravos/boletins/${id}`, '/agravos/agendas'])
      assert.equal((await t.as(vigilante).get(path)).status, 403, path)
    assert.equal((await t.as(vigilante).post('/agravos/boletins', { tipo_agravo: 'dengue' })).status, 403)
  })

  it('leaves nothing behind where its owner may no longer make it', async () => {
    const person = await t.person({ permissoes: ['relatorios.gerar'] })
    const count = await boletins()
    const asked = await t.as(person).post('/agravos/boletins', { tipo_agravo: 'dengue', estado: 'PE' })
    await pool.run(sql`delete from usuarios_permissoes where usuario_id = ${person.id}`)
    await t.jobWorker.runAll()
    const { body } = await t.as(await t.administrador()).get(`/jobs/${asked.body.job_id}`)
    assert.deepEqual([body.status, body.codigo], ['failed', 'NOT_PERMITTED'])
    assert.equal(await boletins(), count)
  })
})

describe('A request for a bulletin', () => {
  const REFUSED: [string, object, string, string][] = [
    ['no disease', { estado: 'PE' }, 'tipo_agravo', 'REQUIRED'],
    ['an unknown disease', { tipo_agravo: 'malaria' }, 'tipo_agravo', 'INVALID_VALUE'],
    ['an unknown place', { tipo_agravo: 'dengue', municipio: '9999999' }, 'municipio', 'UNKNOWN_MUNICIPIO'],
    ['an unknown region', { tipo_agravo: 'dengue', regiao_saude: '99999' }, 'regiao_saude', 'UNKNOWN'],
    [
      'places apart',
      { tipo_agravo: 'dengue', estado: 'BA', municipio: '2611606' },
      'municipio',
      'INCONSISTENT',
    ],
    ['a week that is no week', { tipo_agravo: 'dengue', semana: '202460' }, 'semana', 'INVALID_VALUE'],
    ['a week of long ago', { tipo_agravo: 'dengue', semana: '199901' }, 'semana', 'INVALID_VALUE'],
    ['a week to come', { tipo_agravo: 'dengue', semana: '209901' }, 'semana', 'IN_FUTURE'],
    [
      'a week that is not over',
      { tipo_agravo: 'dengue', semana: semanaAt(ended + 1).codigo },
      'semana',
      'IN_FUTURE',
    ],
    ['a number for a week', { tipo_agravo: 'dengue', semana: 202401 }, 'semana', 'INVALID_TYPE'],
    ['a word for a flag', { tipo_agravo: 'dengue', publico: 'sim' }, 'publico', 'INVALID_TYPE'],
    [
      'a title too long',
      { tipo_agravo: 'dengue', texto: { titulo: 'a'.repeat(201) } },
      'texto.titulo',
      'TOO_LONG',
    ],
    [
      'eleven highlights',
      { tipo_agravo: 'dengue', texto: { destaques: Array(11).fill('a') } },
      'texto.destaques',
      'TOO_MANY',
    ],
  ]
  for (const [what, body, field, code] of REFUSED)
    it(`is refused with ${what}, and queues nothing`, async () => {
      const count = await jobs()
      const { status, body: answer } = await t.as(autora).post('/agravos/boletins', body)
      assert.equal(status, 422)
      assert.deepEqual(
        answer.error.details.map((one: Row) => [one.field, one.code]),
        [[field, code]],
      )
      assert.equal(await jobs(), count)
    })
})

describe('A bound account', () => {
  it('makes and reads bulletins of places that are wholly its own, and no others are there', async () => {
    const recife = await app.bound(`municipio:${RECIFE}`)
    const id = await make({ tipo_agravo: 'dengue', municipio: String(RECIFE) }, recife)
    assert.equal((await readBoletim(id, recife)).cabecalho.lugar.nome, 'Recife')
    for (const place of [{}, { estado: 'PE' }, { municipio: String(OLINDA) }, { regiao_saude: '26001' }]) {
      const asked = await t.as(recife).post('/agravos/boletins', { tipo_agravo: 'dengue', ...place })
      assert.deepEqual([asked.status, asked.body.error.code], [403, 'OUT_OF_TERRITORY'])
    }
    const ofState = await make({ tipo_agravo: 'dengue', estado: 'PE' })
    const olinda = await make({ tipo_agravo: 'dengue', municipio: String(OLINDA) })
    for (const other of [ofState, olinda]) {
      assert.equal((await t.as(recife).get(`/agravos/boletins/${other}`)).status, 404)
      assert.equal((await t.as(recife).get(`/agravos/boletins/${other}/arquivo?formato=html`)).status, 404)
      assert.equal((await t.as(recife).delete(`/agravos/boletins/${other}`)).status, 404)
    }
    const listed = await t.as(recife).get('/agravos/boletins')
    assert.ok(listed.body.total >= 1)
    for (const { lugar } of listed.body.items) assert.equal(lugar.codigo, String(RECIFE))
    const state = await app.bound('uf:PE')
    assert.equal((await t.as(state).get(`/agravos/boletins/${olinda}`)).status, 200)
    const alagoas = await app.bound('uf:AL')
    assert.equal((await t.as(alagoas).get('/agravos/boletins')).body.total, 0)
  })
})
