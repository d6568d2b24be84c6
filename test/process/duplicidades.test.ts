import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { until } from '../harness/eventually.ts'
import { enqueue, formOf, untilOver } from './import-setup.ts'
import { dataFolder, type RequestOptions } from './service.ts'

/** Ten people, and one of them again five days later, misspelt, with what the first notification lacks. */
const HEADER =
  'tipo_agravo;numero_notificacao;data_notificacao;paciente_nome;paciente_data_nascimento;paciente_sexo;municipio_residencia;estado_residencia;bairro_residencia;evolucao;hospitalizacao\n'
const SURNAMES = 'Batista Cordeiro Dantas Falcão Guedes Holanda Jordão Macedo Novais Peixoto'.split(' ')
const NAMES = 'Marta Ivone Sérgio Otávio Helena Bruno Clara Davi Elza Fábio'.split(' ')
const PEOPLE = SURNAMES.map(
  (surname, i) =>
    `dengue;P${i};2024-03-0${1 + (i % 9)};${NAMES[i]} ${surname} de Queiroz;19${50 + i}-0${1 + (i % 9)}-1${i % 9};${'FFMMFMFMFM'[i]};Recife;PE;Pina;;\n`,
)
const [FIRST, AGAIN] = ['P0', 'R0']
const DUPLICATE = `dengue;${AGAIN};2024-03-06;MARTHA BAPTISTA QUEIROS;1950-01-10;F;Recife;PE;Pina;cura;sim\n`
const FILE = Buffer.from(HEADER + PEOPLE.join('') + DUPLICATE)
const ALL = PEOPLE.length + 1

describe('A duplicate in a file, through the service', async () => {
  const folder = await dataFolder({ after })
  const database = await createTestDatabase()
  after(() => database.drop())
  const env = {
    DATABASE_URL: databaseUrl(database.name),
    DATA_KEY: randomBytes(32).toString('base64'),
  }

  it('is found, merged, kept away by the file itself, and given back byte by byte', async () => {
    const service = await folder.start(env)
    const token = await service.login(ADMIN_EMAIL, PASSWORD)
    const ask = async (path: string, options: RequestOptions = {}) => {
      const answer = await service.request(`/api/v1${path}`, { token, ...options })
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    const post = (path: string, body: object = {}, headers = {}) =>
      ask(path, { method: 'POST', body, headers })
    const imported = async () => {
      const job = await untilOver(service, token, await enqueue(service, token, formOf(FILE)))
      assert.equal(job.status, 'completed', JSON.stringify(job))
      return job.resultado
    }
    const compared = async () => {
      // Asked for at once, not half a minute after the last time.
      await database.pool.run(sql`update duplicidades_execucao set pedida_em = null`)
      await until('all are compared', async () =>
        database.pool.value<boolean>(sql`select not exists (select from duplicidades_pendentes)`),
      )
    }

    /** All numbers of cases that people see, and that the counters are those of the cases. */
    const numbers = async () => {
      const { total } = await ask('/agravos/casos?size=1')
      const { total: cured } = await ask('/agravos/casos?evolucao=cura&size=1')
      const { total: counted, hospitalizados } = await ask('/agravos/casos/estatisticas/resumo')
      const { features } = await ask('/agravos/casos/mapa-calor?nivel=municipio')
      const onMap = features.reduce(
        (sum: number, { properties }: { properties: { casos: number } }) => sum + properties.casos,
        0,
      )
      const { code, stderr } = await folder.run(['counters:verify'], env)
      assert.equal(code, 0, stderr)
      return { total, cured, counted, hospitalizados, onMap }
    }
    /** A case with all that is sealed, without what counts its changes. */
    const stored = async (id: number) => {
      const { historico, versao, atualizado_em, ...caso } = await ask(
        `/agravos/casos/${id}?identificado=true`,
      )
      return { text: JSON.stringify(caso), lines: historico.length as number, versao: versao as number }
    }

    assert.equal((await imported()).importados, ALL)
    await compared()
    const { items, total } = await ask('/agravos/duplicidades')
    assert.equal(total, 1, JSON.stringify(items))
    const [par] = items
    const [one, other] = par.casos.map(({ caso }: { caso: { id: number } }) => caso.id) as [number, number]
    assert.deepEqual(
      par.casos.map(({ caso }: { caso: { numero_notificacao: string } }) => caso.numero_notificacao),
      [FIRST, AGAIN],
    )
    assert.equal(par.faixa, 'quase_certa')
    const before = { one: await stored(one), other: await stored(other), numbers: await numbers() }
    const apart = { total: ALL, cured: 1, counted: ALL, hospitalizados: 1, onMap: ALL }
    assert.deepEqual(before.numbers, apart)

    const decide = (simular: boolean) =>
      post(
        `/agravos/duplicidades/${par.id}/decidir?simular=${simular}`,
        { decisao: 'mesmo_caso' },
        { 'if-match': par.etag },
      )
    const simulated = await decide(true)
    assert.deepEqual([simulated.simulado, simulated.fusao_id], [true, null])
    assert.deepEqual([await stored(one), await stored(other)], [before.one, before.other])
    const merged = await decide(false)
    assert.deepEqual([merged.principal_id, merged.absorvido_id], [one, other])
    assert.deepEqual(merged.campos, simulated.campos)

    const together = { total: ALL - 1, cured: 1, counted: ALL - 1, hospitalizados: 1, onMap: ALL - 1 }
    assert.deepEqual(await numbers(), together)
    assert.equal((await service.request(`/api/v1/agravos/casos/${other}`, { token })).status, 404)
    assert.equal((await ask('/agravos/duplicidades')).total, 0)

    const again = await imported()
    assert.deepEqual(
      [again.importados, again.atualizados, again.fundidos, again.erros],
      [0, 0, 1, 0],
      JSON.stringify(again),
    )
    await compared()
    assert.deepEqual(await numbers(), together)
    assert.equal((await ask('/agravos/duplicidades')).total, 0)

    await post(`/agravos/fusoes/${merged.fusao_id}/desfazer`)
    for (const [id, was] of [
      [one, before.one],
      [other, before.other],
    ] as const) {
      const now = await stored(id)
      assert.equal(now.text, was.text)
      assert.deepEqual([now.lines - was.lines, now.versao - was.versao], [2, 2])
    }
    assert.deepEqual(await numbers(), apart)
    await compared()
    const back = await ask('/agravos/duplicidades')
    assert.deepEqual([back.total, back.items[0]?.id, back.items[0]?.situacao], [1, par.id, 'pendente'])
    assert.equal((await service.stop()).code, 0)
  })
})
