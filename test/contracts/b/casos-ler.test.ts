import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { casosApp, minimo, UNKNOWN_ID } from './casos-app.ts'

const app = await casosApp()
const { t, admin, gestor, leitor, path, newCaso, read, identify, exclude, missing, denied, invalid } = app
after(() => t.close())

const ENDERECO = {
  logradouro_residencia: 'Rua da Aurora',
  numero_residencia: '7b',
  cep_residencia: '50050-000',
  latitude: -8.063149,
  longitude: -34.871139,
}
const COMPLETO = {
  data_inicio_sintomas: '2024-03-08',
  paciente_data_nascimento: '1990-05-20',
  paciente_sexo: 'F',
  paciente_gestante: false,
  paciente_raca: 'parda',
  paciente_escolaridade: 'medio_completo',
  paciente_ocupacao: 'Costureira',
  bairro_residencia: 'Boa Vista',
  zona_residencia: 'urbana',
  ...ENDERECO,
  municipio_infeccao: 'Olinda',
  estado_infeccao: 'PE',
  pais_infeccao: 'Brasil',
  classificacao_inicial: 'suspeito',
  classificacao_final: 'dengue_com_sinais_alarme',
  criterio_confirmacao: 'laboratorial',
  evolucao: 'cura',
  data_investigacao: '2024-03-13',
  data_encerramento: '2024-03-20',
  hospitalizacao: true,
  data_internacao: '2024-03-10',
  uti: false,
  dados_especificos: {
    data_digitacao: '2024-03-14',
    febre: true,
    prova_laco: 'negativa',
    sinais_alarme: true,
    sorotipo: 'DENV2',
  },
  dados_clinicos: { sinais_sintomas: { letargia: false }, comorbidades: ['diabetes', 'asma'] },
  dados_laboratoriais: { ns1: 'positivo', data_ns1: '2024-03-11', plaquetas: 90000, hematocrito: 45.5 },
  investigacao: {
    viagem_recente: true,
    contato_casos_similares: false,
    locais_frequentados: [{ local: 'Mercado de São José', endereco: 'Centro', periodo: 'manhã' }],
  },
  unidade_notificante: {
    nome: 'UPA da Imbiribeira',
    cnes: '477',
    telefone: '(81) 3333-4444',
    responsavel: 'Dra. Ana',
  },
}

describe('GET /agravos/casos/{id}', () => {
  it('answers the whole record in groups, without what tells who the patient is', async () => {
    const sent = minimo()
    const id = await newCaso({ ...sent, ...COMPLETO })
    const { criado_em, atualizado_em, historico, ...caso } = await read(id, {}, leitor)
    assert.equal(criado_em, atualizado_em)
    assert.equal(historico.length, 1)
    assert.deepEqual(caso, {
      id,
      tipo_agravo: 'dengue',
      numero_notificacao: sent.numero_notificacao,
      data_notificacao: '2024-03-12T00:00:00-03:00',
      semana_epidemiologica: '202411',
      data_inicio_sintomas: '2024-03-08',
      semana_epidemiologica_sintomas: '202410',
      paciente: {
        nome: 'M. S. S.',
        idade: 33,
        sexo: 'F',
        gestante: false,
        data_nascimento: null,
        raca: 'parda',
        escolaridade: 'medio_completo',
        ocupacao: 'Costureira',
      },
      endereco: {
        municipio_residencia: 'Recife',
        codigo_ibge: '2611606',
        estado_residencia: 'PE',
        bairro: 'Boa Vista',
        zona: 'urbana',
        logradouro: null,
        numero: null,
        cep: null,
        latitude: null,
        longitude: null,
      },
      local_infeccao: { municipio: 'Olinda', codigo_ibge: '2609600', estado: 'PE', pais: 'Brasil' },
      classificacao_inicial: 'suspeito',
      classificacao_final: 'dengue_com_sinais_alarme',
      criterio_confirmacao: 'laboratorial',
      evolucao: 'cura',
      hospitalizacao: true,
      status: 'encerrado',
      dados_especificos: {
        data_digitacao: '2024-03-14',
        febre: true,
        prova_laco: 'negativa',
        sinais_alarme: true,
        sorotipo: 'DENV2',
      },
      dados_clinicos: {
        sinais_sintomas: {
          febre: true,
          mialgia: null,
          cefaleia: null,
          exantema: null,
          nausea: null,
          dor_retro_orbital: null,
          artralgia: null,
          dor_abdominal: null,
          vomito_persistente: null,
          hepatomegalia: null,
          sangramento_mucosa: null,
          letargia: false,
          acumulo_liquidos: null,
        },
        sinais_alarme: true,
        comorbidades: ['diabetes', 'asma'],
        hospitalizacao: true,
        data_internacao: '2024-03-10',
        uti: false,
      },
      dados_laboratoriais: {
        ns1: 'positivo',
        data_ns1: '2024-03-11',
        igm: null,
        data_igm: null,
        pcr: null,
        data_pcr: null,
        isolamento_viral: null,
        data_isolamento_viral: null,
        prnt: null,
        data_prnt: null,
        histopatologia: null,
        imunohistoquimica: null,
        plaquetas: 90000,
        hematocrito: 45.5,
      },
      data_investigacao: '2024-03-13',
      data_encerramento: '2024-03-20',
      data_obito: null,
      investigacao: { locais_frequentados: null, viagem_recente: true, contato_casos_similares: false },
      unidade_notificante: {
        nome: 'UPA da Imbiribeira',
        cnes: '0000477',
        telefone: '(81) 3333-4444',
        responsavel: 'Dra. Ana',
      },
      responsavel: { id: gestor.id, nome: 'Pessoa 1' },
      origem: null,
      versao: 1,
      acesso: 'residencia',
    })
  })

  it('has every key, null where nothing was told', async () => {
    const full = await read(await newCaso(COMPLETO))
    const bare = await read(await newCaso())
    const keys = (value: unknown, at = ''): string[] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([key, inner]) => keys(inner, `${at}.${key}`))
        : [at]
    const shown = (caso: Record<string, unknown>) =>
      keys({ ...caso, dados_especificos: null, historico: null })
    assert.deepEqual(shown(bare), shown(full))
    assert.equal(bare.paciente.idade, null)
    assert.deepEqual(Object.keys(bare.dados_especificos), ['data_digitacao'])
    assert.deepEqual(bare.dados_clinicos.comorbidades, [])
  })

  it('shows nobody a name, an address or a birth date unasked, in the detail, the list or the log', async () => {
    const numero_notificacao = 'SEM-NOME'
    const id = await newCaso({ ...COMPLETO, numero_notificacao, paciente_nome: 'Zenaide Quixabeira' })
    for (const who of [admin, gestor, leitor]) {
      const answers = [
        await t.as(who).get(path(id)),
        await t.as(who).get(path(id, '/historico')),
        await t.as(who).get(`/agravos/casos?numero_notificacao=${numero_notificacao}`),
      ]
      for (const { text } of [...answers, { text: t.logs.join() }])
        for (const word of ['Zenaide', 'Quixabeira', '1990-05-20', 'Aurora', '50050', '8.0631', 'São José'])
          assert.ok(!text.includes(word), word)
    }
  })

  it('keeps nothing of them readable in the database', async () => {
    const id = await newCaso({ ...COMPLETO, paciente_nome: 'Zenaide Quixabeira' })
    await app.change(id, { paciente_nome: 'Zenaide Quixabeira Melo', logradouro_residencia: 'Rua do Sol' })
    const row = await t.database.pool.first<{ all: string }>(sql`
      select row(c, (select array_agg(h) from casos_historico h where h.caso_id = c.id))::text as all
      from casos c where id = ${id}`)
    const hex = (word: string) => Buffer.from(word).toString('hex')
    for (const word of ['Zenaide', 'Melo', 'Aurora', 'Rua do Sol', '50050000', '34.8711', 'São José'])
      assert.ok(!row?.all.includes(word) && !row?.all.includes(hex(word)), word)
  })

  for (const include of ['historico', 'investigacao', 'historico,investigacao', ' historico , ', ''])
    it(`takes include=${JSON.stringify(include)}`, async () => {
      const caso = await read(await newCaso(), { include })
      assert.equal(caso.historico.length, 1)
      assert.ok('viagem_recente' in caso.investigacao)
      assert.ok(!('anexos' in caso))
    })

  it('adds the attachments with include=anexos', async () => {
    assert.deepEqual((await read(await newCaso(), { include: 'anexos,historico' })).anexos, [])
  })

  it('refuses to include what it does not know', async () => {
    const id = await newCaso()
    for (const include of ['tudo', 'historico,x', 'Anexos'])
      assert.deepEqual(await invalid(() => t.as(gestor).get(path(id, `?include=${include}`))), [
        'include INVALID_VALUE',
      ])
  })

  it('answers 404 for an unknown or excluded case', async () => {
    const id = await newCaso()
    await exclude(id)
    for (const gone of [UNKNOWN_ID, id])
      for (const rest of ['', '/historico', '?include=anexos']) {
        await missing(() => t.as(gestor).get(path(gone, rest)))
        await missing(() => t.as(admin).get(path(gone, rest)))
      }
  })

  for (const id of ['0', '-1', '1.5', 'um', '2147483648', '%00'])
    it(`answers 422 for an id that can be none: ${id}`, async () => {
      const found = await invalid(() => t.as(gestor).get(`/agravos/casos/${id}`))
      assert.equal(found.length, 1)
      assert.match(found[0] as string, /^id /)
    })

  it('tells its version as ETag', async () => {
    const id = await newCaso()
    assert.equal((await t.as(leitor).get(path(id))).headers.etag, '"1"')
    await app.change(id, { evolucao: 'cura' })
    assert.equal((await t.as(leitor).get(path(id))).headers.etag, '"2"')
  })
})

describe('GET /agravos/casos/{id}?identificado=true', () => {
  it('shows the full record to those who may see it, and the audit knows first', async () => {
    const id = await newCaso(COMPLETO)
    const caso = await identify(id)
    assert.equal(caso.paciente.nome, 'Maria da Silva Santos')
    assert.equal(caso.paciente.data_nascimento, '1990-05-20')
    const { logradouro, numero, cep, latitude, longitude } = caso.endereco
    assert.deepEqual([logradouro, numero, cep, latitude, longitude], Object.values(ENDERECO))
    assert.deepEqual(caso.investigacao.locais_frequentados, COMPLETO.investigacao.locais_frequentados)
    assert.deepEqual(await app.registros(id), [
      { acao: 'caso.identificado', ator_id: gestor.id, detalhes: { em: null } },
    ])
  })

  it('differs from the other reading in nothing else', async () => {
    const id = await newCaso(COMPLETO)
    const [open, full] = [await read(id), await identify(id)]
    const { paciente, endereco, investigacao, ...rest } = full
    assert.deepEqual(
      {
        ...rest,
        paciente: { ...paciente, nome: 'M. S. S.', data_nascimento: null },
        endereco: { ...endereco, logradouro: null, numero: null, cep: null, latitude: null, longitude: null },
        investigacao: { ...investigacao, locais_frequentados: null },
      },
      open,
    )
  })

  it('is refused to everyone without the permission, and is in nobody’s audit', async () => {
    const id = await newCaso()
    for (const who of [leitor, await t.person({ grupos: ['analista'] })])
      for (const rest of ['', '/historico'])
        assert.equal(
          await denied(() => t.as(who).get(path(id, `${rest}?identificado=true`))),
          'agravos.identificar',
        )
    assert.deepEqual(await app.registros(id), [])
  })

  it('is allowed to administrators, and leaves no trace when not asked for', async () => {
    const id = await newCaso()
    assert.equal((await t.as(admin).get(path(id, '?identificado=true'))).status, 200)
    await t.as(admin).get(path(id, '?identificado=false'))
    assert.equal((await app.registros(id)).length, 1)
  })

  it('records also the attempt at a case that does not exist', async () => {
    assert.equal((await t.as(gestor).get(path(UNKNOWN_ID, '?identificado=true'))).status, 404)
    assert.equal((await app.registros(UNKNOWN_ID)).length, 1)
  })

  it('refuses a flag that is none', async () => {
    const id = await newCaso()
    assert.deepEqual(await invalid(() => t.as(gestor).get(path(id, '?identificado=sim'))), [
      'identificado INVALID_TYPE',
    ])
  })
})
