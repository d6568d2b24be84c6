import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { csv, importacoesApp, type Linha, linha, numeros, sinan, ZERO } from './importacoes-app.ts'

const app = await importacoesApp()
const { t, analista, gestor, importar } = app
after(() => t.close())

/** All that identifies, beside what is open. */
const completa = (more: Linha = {}): Linha =>
  linha({
    bairro_residencia: 'Boa Viagem',
    logradouro_residencia: 'Rua dos Navegantes',
    numero_residencia: '100',
    cep_residencia: '51020010',
    paciente_data_nascimento: '1990-05-17',
    paciente_sexo: 'F',
    'dados_laboratoriais.plaquetas': '150000',
    'dados_clinicos.comorbidades': 'diabetes|asma',
    ...more,
  })

describe('An import', () => {
  it('tells new, changed, equal and repeated cases apart; of a repeated one the last line counts', async () => {
    const [igual, muda, repetido] = [linha({ uti: '' }), linha({ uti: '' }), linha({ uti: '' })]
    assert.deepEqual(numeros(await importar(csv(igual, muda))), {
      ...ZERO,
      total_linhas: 2,
      importados: 2,
    })
    const file = csv(igual, { ...muda, uti: 'sim' }, { ...repetido, uti: 'sim' }, linha(), {
      ...repetido,
      uti: 'não',
    })
    const resultado = await importar(file)
    assert.deepEqual(numeros(resultado), {
      total_linhas: 5,
      importados: 2,
      atualizados: 1,
      inalterados: 1,
      duplicados_no_arquivo: 1,
      erros: 0,
      avisos: 1,
    })
    const numero_notificacao = repetido.numero_notificacao as string
    const aviso = 'Repetido no arquivo; vale a última linha'
    assert.deepEqual(resultado.avisos_detalhados, [{ linha: 4, numero_notificacao, aviso }])
    assert.equal((await app.read(numero_notificacao)).dados_clinicos.uti, false)
    assert.equal((await app.read(numero_notificacao)).origem.linha, 6)
    assert.equal((await app.read(muda.numero_notificacao as string)).dados_clinicos.uti, true)
    assert.equal((await app.read(igual.numero_notificacao as string)).versao, 1)
  })

  it('takes number, date and disease together for the key of a case', async () => {
    const one = linha()
    const others = [
      { ...one, data_notificacao: '2024-04-26' },
      { ...one, tipo_agravo: 'zika' },
      { ...one, numero_notificacao: `${one.numero_notificacao}x` },
    ]
    assert.equal((await importar(csv(one, ...others))).importados, 4)
  })

  it('leaves alone what the file has no column for, and empties what its cells leave empty', async () => {
    const one = completa()
    const numero = one.numero_notificacao as string
    await importar(csv(one))
    const before = await app.content(numero)
    const { tipo_agravo, data_notificacao, paciente_nome, municipio_residencia, estado_residencia } = one
    const short = {
      ...{ tipo_agravo, numero_notificacao: numero, data_notificacao, paciente_nome },
      ...{ municipio_residencia, estado_residencia, bairro_residencia: '', paciente_sexo: 'M' },
    } as Linha
    assert.equal((await importar(csv(short))).atualizados, 1)
    assert.deepEqual(await app.content(numero), {
      ...before,
      paciente: { ...before.paciente, sexo: 'M' },
      endereco: { ...before.endereco, bairro: null },
    })
    const emptied = Object.fromEntries(Object.keys(one).map((nome) => [nome, '']))
    const rest = { tipo_agravo, numero_notificacao: numero, data_notificacao, paciente_nome }
    await importar(csv({ ...emptied, ...rest, municipio_residencia, estado_residencia } as Linha))
    const { paciente, endereco, dados_clinicos, dados_laboratoriais } = await app.content(numero)
    assert.deepEqual([paciente.sexo, paciente.idade], [null, before.paciente.idade])
    assert.deepEqual([endereco.logradouro, endereco.numero, endereco.cep], [null, null, null])
    assert.deepEqual([dados_clinicos.comorbidades ?? [], dados_laboratoriais.plaquetas], [[], null])
  })

  it('of a file without names and streets leaves those of the case as they were', async () => {
    const numero = sinan().NU_NOTIFIC as string
    await importar(csv(completa({ numero_notificacao: numero })))
    const before = await app.content(numero)
    const resultado = await importar(csv(sinan({ NU_NOTIFIC: numero, CS_RACA: '4', EVOLUCAO: '1' })))
    assert.equal(resultado.atualizados, 1)
    const told = await app.content(numero)
    assert.equal(told.paciente.nome, 'Joana Teste da Silva')
    assert.deepEqual([told.paciente.raca, told.evolucao], ['parda', 'cura'])
    for (const nome of ['logradouro', 'numero', 'cep', 'bairro'])
      assert.equal(told.endereco[nome], before.endereco[nome], nome)
    assert.equal(told.paciente.data_nascimento, before.paciente.data_nascimento)
  })

  it('keeps a manual edit while the line of the file stays the same, and overwrites it when the line changes', async () => {
    const one = linha({ bairro_residencia: 'Pina', uti: '' })
    const numero = one.numero_notificacao as string
    await importar(csv(one))
    await app.change(numero, { bairro_residencia: 'Ibura', paciente_ocupacao: 'Pescadora' })
    // Other lines in the file: it is the line that counts, not the file.
    assert.deepEqual(numeros(await importar(csv(one, linha({ bairro_residencia: '', uti: '' })))), {
      ...ZERO,
      total_linhas: 2,
      importados: 1,
      inalterados: 1,
    })
    assert.equal((await app.read(numero)).endereco.bairro, 'Ibura')
    assert.equal((await importar(csv({ ...one, uti: 'sim' }))).atualizados, 1)
    const { endereco, paciente } = await app.read(numero)
    assert.equal(endereco.bairro, 'Pina')
    assert.equal(paciente.ocupacao, 'Pescadora')
  })

  it('updates a case that was registered by hand, and from then on knows its line', async () => {
    const one = linha({ bairro_residencia: 'Pina' })
    assert.equal((await t.as(gestor).post('/agravos/casos', one)).status, 201)
    const same = numeros(await importar(csv(one), { by: gestor }))
    assert.deepEqual(same, { ...ZERO, total_linhas: 1, inalterados: 1 })
    assert.equal((await importar(csv({ ...one, bairro_residencia: 'Ibura' }))).atualizados, 1)
    assert.equal((await app.read(one.numero_notificacao as string)).endereco.bairro, 'Ibura')
  })

  it('leaves a line `importado` in the history, with old and new values and without the name', async () => {
    const one = linha({ bairro_residencia: 'Pina' })
    const numero = one.numero_notificacao as string
    await importar(csv(one), { by: gestor })
    const changed = { ...one, bairro_residencia: 'Ibura', paciente_nome: 'Rita Outra de Souza' }
    await importar(csv(changed))
    const { historico, versao } = await app.read(numero)
    assert.equal(versao, 2)
    const [line] = historico
    assert.deepEqual([line.acao, line.usuario.id], ['importado', analista.id])
    const byName = (a: { campo: string }, b: { campo: string }) => a.campo.localeCompare(b.campo)
    assert.deepEqual(line.detalhes.alteracoes.toSorted(byName), [
      { campo: 'bairro_residencia', anterior: 'Pina', novo: 'Ibura' },
      { campo: 'paciente_nome', anterior: 'Joana Teste da Silva', novo: 'Rita Outra de Souza' },
    ])
    const open = await t.as(analista).get(`/agravos/casos/${await app.idOf(numero)}?include=historico`)
    assert.doesNotMatch(open.text, /Rita|Joana|Souza/)
    assert.match(open.text, /R\. O\. S\./)
  })

  it('tells who created a case, and makes them answer for it', async () => {
    const one = linha()
    await importar(csv(one))
    const { responsavel, historico } = await app.read(one.numero_notificacao as string)
    assert.equal(responsavel.id, analista.id)
    assert.deepEqual([historico.at(-1).acao, historico.at(-1).usuario.id], ['criado', analista.id])
  })

  it('brings the key of an excluded case in as a new case, and leaves the excluded one', async () => {
    const one = linha()
    const numero = one.numero_notificacao as string
    await importar(csv(one))
    const old = await app.idOf(numero)
    await app.exclude(numero)
    assert.deepEqual(numeros(await importar(csv(one))), { ...ZERO, total_linhas: 1, importados: 1 })
    assert.notEqual(await app.idOf(numero), old)
    const excluded = await t.as(gestor).get(`/agravos/casos/excluidos?id=${old}`)
    assert.equal(excluded.body.total, 1)
  })

  it('takes back what closed a case, when the line reopens it', async () => {
    const one = linha({
      classificacao_final: 'dengue_grave',
      criterio_confirmacao: 'laboratorial',
      data_encerramento: '2024-05-02',
    })
    const numero = one.numero_notificacao as string
    await importar(csv(one))
    assert.equal((await app.read(numero)).status, 'encerrado')
    await importar(csv({ ...one, criterio_confirmacao: 'em_investigacao', data_encerramento: '' }))
    assert.equal((await app.read(numero)).status, 'em_investigacao')
  })
})

describe('The same file again', () => {
  const rows = [completa(), linha({}), linha()]
  const file = csv(...rows.map((row) => ({ ...completa(), ...row })))
  const unchanged = { ...ZERO, total_linhas: 3, inalterados: 3 }

  it('changes nothing, not a row, whoever sends it, also after cases were edited by hand', async () => {
    assert.equal((await importar(file)).importados, 3)
    let before = await app.casos()
    for (const by of [analista, gestor]) {
      assert.deepEqual(numeros((await app.validar(file, { by })).resultado), unchanged)
      assert.deepEqual(numeros(await importar(file, { by })), unchanged)
      assert.deepEqual(await app.casos(), before)
    }
    await app.change(rows[0]?.numero_notificacao as string, {
      bairro_residencia: 'Ibura',
      paciente_sexo: 'M',
    })
    before = await app.casos()
    for (const by of [gestor, analista]) {
      assert.deepEqual(numeros(await importar(file, { by })), unchanged)
      assert.deepEqual(await app.casos(), before)
    }
  })

  it('is the same in another order, with other line ends, quotes and spellings of a municipality', async () => {
    const before = await app.casos()
    const [header = '', ...lines] = file.trimEnd().split('\r\n')
    const shuffled = `\uFEFF${[header, ...lines.toReversed()].join('\n')}`
    assert.deepEqual(numeros(await importar(shuffled)), unchanged)
    assert.deepEqual(numeros(await importar(file.replaceAll(';Recife;', ';"2611606";'))), unchanged)
    assert.deepEqual(await app.casos(), before)
  })

  it('with columns fewer or more that say nothing new changes nothing', async () => {
    const before = await app.casos()
    const more = csv(...rows.map((row) => ({ ...completa(), ...row, uti: '', pais_infeccao: '' })))
    const resultado = await importar(more, { by: gestor })
    // The edited case goes by this other line again.
    assert.deepEqual([resultado.inalterados, resultado.atualizados], [2, 1])
    assert.notDeepEqual(await app.casos(), before)
    const after = await app.casos()
    assert.deepEqual(numeros(await importar(more, { by: gestor })), unchanged)
    assert.deepEqual(await app.casos(), after)
  })

  it('brings back only what was excluded or removed since', async () => {
    const numero = rows[1]?.numero_notificacao as string
    await app.exclude(numero)
    assert.deepEqual(numeros(await importar(file, { by: gestor })), {
      ...unchanged,
      importados: 1,
      inalterados: 2,
    })
    await t.database.pool.run(sql`delete from casos where numero_notificacao = ${numero}`)
    assert.deepEqual(numeros(await importar(file, { by: gestor })), {
      ...unchanged,
      importados: 1,
      inalterados: 2,
    })
  })

  it('that had rejected rows rejects them again and changes nothing', async () => {
    const mixed = csv(linha(), linha({ data_notificacao: 'ontem' }), linha())
    const first = await importar(mixed, { ignorar_erros: 'true' })
    assert.deepEqual([first.importados, first.erros], [2, 1])
    const before = await app.casos()
    const again = await importar(mixed, { ignorar_erros: 'true' })
    assert.deepEqual(numeros(again), { ...ZERO, total_linhas: 3, inalterados: 2, erros: 1 })
    assert.deepEqual(again.erros_detalhados, first.erros_detalhados)
    assert.deepEqual(await app.casos(), before)
  })

  it('that repeats cases tells so again', async () => {
    const one = linha({ uti: '' })
    const twice = csv(one, { ...one, uti: 'sim' })
    assert.deepEqual(numeros(await importar(twice)), {
      ...{ ...ZERO, total_linhas: 2, importados: 1, duplicados_no_arquivo: 1, avisos: 1 },
    })
    const before = await app.casos()
    assert.deepEqual(numeros(await importar(twice)), {
      ...{ ...ZERO, total_linhas: 2, inalterados: 1, duplicados_no_arquivo: 1, avisos: 1 },
    })
    assert.deepEqual(await app.casos(), before)
  })
})

describe('An import by someone who may not identify patients', () => {
  const WRONG: Linha = {
    paciente_nome: 'Júlia Torres Sá',
    paciente_data_nascimento: '1990-05-18',
    logradouro_residencia: 'Rua do Sol',
    numero_residencia: '8',
    cep_residencia: '51020011',
  }
  /** Of a case, all that the importer sees of it and of its history. */
  async function seen(numero: string) {
    const { status, body } = await t.as(analista).get(`/agravos/casos/${await app.idOf(numero)}`)
    assert.equal(status, 200)
    const { id, numero_notificacao, criado_em, atualizado_em, origem, ...told } = body
    const historico = told.historico.map(({ data, ...line }: { data: string }) => line)
    return { ...told, historico, linha: origem?.linha }
  }
  const undone = async (id: number, query = '') => {
    const { status, body } = await t.as(analista).post(`/agravos/importacoes/${id}/desfazer${query}`)
    assert.equal(status, 202)
    await t.jobWorker.runAll()
    const { mantidos, importacao_id, ...told } = (await app.job(body.job_id)).result
    return told
  }
  /** What there is to see of a guess at a case that somebody else imported. */
  async function looks(guess: Linha) {
    const one = completa()
    const numero = one.numero_notificacao as string
    await importar(csv(one), { by: gestor })
    const before = await app.content(numero)
    const line = csv({ ...one, ...guess })
    const told = numeros((await app.validar(line)).resultado)
    const { importacao_id, avisos_detalhados, ...resultado } = await importar(line)
    const imported = [numeros(resultado), avisos_detalhados, await seen(numero)]
    const undo = [
      await undone(importacao_id, '?simular=true'),
      await undone(importacao_id),
      await seen(numero),
    ]
    assert.deepEqual(await app.content(numero), before)
    return { told, imported, undo }
  }

  it('tells right and wrong guesses apart by nothing: numbers, version, history, undo', async () => {
    const right = await looks({})
    assert.equal(right.told.atualizados, 1)
    for (const [nome, value] of Object.entries(WRONG))
      assert.deepEqual(await looks({ [nome]: value }), right, nome)
  })

  it('says nothing of a stored birth date that contradicts the line', async () => {
    const one = completa({ data_inicio_sintomas: '2024-04-20' })
    const numero = one.numero_notificacao as string
    await importar(csv(one), { by: gestor })
    const { paciente_data_nascimento, ...rest } = one
    const line = csv({ ...rest, data_inicio_sintomas: '1980-01-01' })
    assert.deepEqual(numeros(await importar(line)), { ...ZERO, total_linhas: 1, atualizados: 1 })
    const { paciente } = await app.content(numero)
    assert.deepEqual([paciente.data_nascimento, paciente.idade], [paciente_data_nascimento, 33])
  })

  it('keeps edits made since somebody else imported the same line, secret ones too', async () => {
    const one = completa()
    const numero = one.numero_notificacao as string
    await importar(csv(one), { by: gestor })
    await app.change(numero, { bairro_residencia: 'Ibura', logradouro_residencia: 'Rua Nova' })
    const edited = await app.content(numero)
    assert.equal((await importar(csv(one))).atualizados, 1)
    assert.deepEqual(await app.content(numero), edited)
    // From then on it is a line of their own.
    assert.equal((await importar(csv(one, linha()))).inalterados, 1)
    assert.deepEqual(await app.content(numero), edited)
  })

  it('brings in what a line says anew of a secret field, and keeps the open ones as they were edited', async () => {
    const one = completa()
    const numero = one.numero_notificacao as string
    await importar(csv(one), { by: gestor })
    await app.change(numero, {
      ...{ bairro_residencia: 'Ibura', logradouro_residencia: 'Rua Nova' },
      ...{ paciente_nome: 'Rita Outra de Souza', paciente_data_nascimento: '1980-05-17' },
    })
    const edited = await app.content(numero)
    await importar(csv({ ...one, cep_residencia: '51020-099' }))
    const told = await app.content(numero)
    assert.deepEqual(told.paciente, edited.paciente)
    assert.deepEqual([told.endereco.cep, told.endereco.bairro], ['51020-099', 'Ibura'])
    assert.equal(told.endereco.logradouro, 'Rua dos Navegantes')
  })

  it('recognises lines of others where they say nothing secret', async () => {
    const [one, other] = [sinan({ CS_RACA: '4' }), sinan({ CS_RACA: '1' })]
    await importar(csv(one, other), { by: gestor })
    const before = await app.casos()
    assert.deepEqual(numeros(await importar(csv(other, one))), { ...ZERO, total_linhas: 2, inalterados: 2 })
    assert.deepEqual(await app.casos(), before)
  })

  it('is told neither that a file is the one of somebody else, nor its hash and size', async () => {
    const file = csv(completa())
    const { importacao_id } = await importar(file, { by: gestor })
    const { avisos_detalhados, inalterados } = (await app.validar(file)).resultado
    assert.deepEqual([avisos_detalhados, inalterados], [[], 0])
    const path = `/agravos/importacoes/${importacao_id}`
    const { sha256, tamanho } = (await t.as(analista).get(path)).body.arquivo
    const listed = (await t.as(analista).get(`/agravos/importacoes?id=${importacao_id}`)).body.items[0]
      .arquivo
    assert.deepEqual([sha256, tamanho, listed.sha256, listed.tamanho], [null, null, null, null])
    assert.equal((await t.as(gestor).get(path)).body.arquivo.tamanho, Buffer.byteLength(file))
  })
})
