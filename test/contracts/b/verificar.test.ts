import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Person } from '../../harness/app.ts'
import { bind, RECIFE, SALVADOR } from '../../harness/bound.ts'
import { casosApp, minimo, UNKNOWN_ID } from './casos-app.ts'

const { t, gestor, create, newCaso, path, exclude, refused, denied, missing, invalid } = await casosApp()
after(() => t.close())

interface Problema {
  campo: string
  codigo: string
  mensagem: string
}

async function verificar(body: object, who: Person = gestor) {
  const answer = await t.as(who).post('/agravos/casos/verificar', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const PESSOA = {
  paciente_data_nascimento: '1990-05-20',
  paciente_sexo: 'F',
  data_inicio_sintomas: '2024-03-08',
}

/** Bodies with nothing, something and everything wrong; of creations and, with a case, of changes. */
const BODIES: Record<string, object> = {
  'a sound body': {},
  'a wrong type and a wrong value': { paciente_sexo: 'x', hospitalizacao: 'sim', data_notificacao: 5 },
  'dates in the wrong order': { data_inicio_sintomas: '2024-03-13', data_obito: '2024-01-01' },
  'a date that is none': { data_inicio_sintomas: '2024-02-30' },
  'a day to come': { data_notificacao: '2999-01-01' },
  'two names with two values': {
    dados_especificos: { febre: 1 },
    paciente: { sexo: 'M' },
    paciente_sexo: 'F',
  },
  'an unknown municipality': { municipio_residencia: 'Atlântida' },
  'a municipality of another state': { municipio_residencia: 'Recife', estado_residencia: 'SP' },
  'a pregnant man': { paciente_sexo: 'M', paciente_gestante: true },
  'an age beside a birth date': { paciente_data_nascimento: '1990-05-20', paciente_idade: 3 },
  'half a point': { latitude: -8.05 },
  'texts that no database takes': { numero_notificacao: 'a\0b', bairro_residencia: '\ud800' },
  'nulls where something must be': { paciente_nome: null, numero_notificacao: null, tipo_agravo: null },
  'the wrong class': { tipo_agravo: 'zika', classificacao_final: 'dengue_grave' },
  'a typing date': { dados_especificos: { data_digitacao: '2020-01-01' } },
  'a status without a reason': { status: 'encerrado' },
}

const asProblemas = (details: { field: string; code: string; message: string }[]): Problema[] =>
  details.map(({ field, code, message }) => ({ campo: field, codigo: code, mensagem: message }))

describe('POST /agravos/casos/verificar', () => {
  for (const [what, more] of Object.entries(BODIES)) {
    it(`answers the very problems of the creation: ${what}`, async () => {
      const body = { ...minimo(), ...more }
      const { problemas, fora_do_territorio } = await verificar(body)
      assert.equal(fora_do_territorio, false)
      const { status, body: created } = await create(body)
      if (status === 201) assert.deepEqual(problemas, [])
      else {
        assert.equal(status, 422)
        assert.deepEqual(problemas, asProblemas(created.error.details))
      }
    })

    it(`and those of the change, with an id: ${what}`, async () => {
      const id = await newCaso(PESSOA)
      const { problemas } = await verificar({ id, ...more })
      const { status, body: changed } = await t.as(gestor).put(path(id), more)
      if (status === 200) assert.deepEqual(problemas, [])
      else {
        assert.equal(status, 422)
        assert.deepEqual(problemas, asProblemas(changed.error.details))
      }
    })
  }

  it('answers all that an empty body lacks', async () => {
    const { problemas, derivados, possiveis_duplicados } = await verificar({})
    const { body } = await t.as(gestor).post('/agravos/casos', {})
    assert.deepEqual(problemas, asProblemas(body.error.details))
    assert.equal(derivados.semana_epidemiologica, null)
    assert.deepEqual(possiveis_duplicados, [])
  })

  it('tells a number in use as the creation would, in the language that is asked for', async () => {
    const body = minimo()
    await newCaso(body)
    for (const language of ['pt-BR', 'en-US', 'es-ES']) {
      const headers = { 'accept-language': language }
      const { body: answer } = await t.as(gestor).post('/agravos/casos/verificar', body, { headers })
      const { body: refusal } = await t.as(gestor).post('/agravos/casos', body, { headers })
      assert.deepEqual(answer.problemas, asProblemas(refusal.error.details))
      assert.deepEqual(
        answer.problemas.map(({ codigo }: Problema) => codigo),
        ['DUPLICATE'],
      )
    }
  })

  it('answers what follows from the fields', async () => {
    const { derivados } = await verificar({
      ...minimo(),
      ...PESSOA,
      estado_residencia: undefined,
      municipio_residencia: 'recife',
      municipio_infeccao: '2927408',
      classificacao_final: 'dengue_grave',
      criterio_confirmacao: 'laboratorio',
    })
    assert.deepEqual(derivados, {
      paciente_idade: 33,
      semana_epidemiologica: '202411',
      semana_epidemiologica_sintomas: '202410',
      status: 'encerrado',
      municipio_residencia: 2611606,
      estado_residencia: 'PE',
      municipio_infeccao: 2927408,
      estado_infeccao: 'BA',
    })
  })

  it('answers what follows from a change beside what the case has', async () => {
    const id = await newCaso(PESSOA)
    const { derivados } = await verificar({ id, data_inicio_sintomas: '2023-03-01' })
    assert.equal(derivados.paciente_idade, 32)
    assert.equal(derivados.semana_epidemiologica, '202411')
  })

  it('names fields that nobody reads', async () => {
    const { avisos } = await verificar({ ...minimo(), inventado: 1 })
    assert.deepEqual(
      avisos.map(({ field }: { field: string }) => field),
      ['inventado'],
    )
  })

  it('writes nothing', async () => {
    const id = await newCaso()
    const refusal = () => t.as(gestor).post('/agravos/casos/verificar', { id: 'x' })
    assert.deepEqual(await invalid(refusal), ['id INVALID_TYPE'])
    const sound = { ...minimo(), ...PESSOA }
    await verificar(sound)
    await verificar({ id, evolucao: 'cura' })
    const { body } = await t.as(gestor).get(path(id))
    assert.equal(body.versao ?? 1, 1)
    const { body: list } = await t
      .as(gestor)
      .get(`/agravos/casos?numero_notificacao=${sound.numero_notificacao}`)
    assert.equal(list.total, 0)
  })

  it('refuses a body that is no object', async () => {
    for (const body of [[], 'null', '"x"'])
      await refused(
        () =>
          t.as(gestor).request('POST', '/agravos/casos/verificar', {
            headers: { 'content-type': 'application/json' },
            payload: typeof body === 'string' ? body : JSON.stringify(body),
          }),
        422,
        'VALIDATION_ERROR',
      )
  })

  it('needs the right to change for a case that exists, and a case that exists', async () => {
    const id = await newCaso()
    const criador = await t.person({ permissoes: ['agravos.criar'] })
    assert.equal(
      await denied(() => t.as(criador).post('/agravos/casos/verificar', { id, evolucao: 'cura' })),
      'agravos.editar',
    )
    await missing(() => t.as(gestor).post('/agravos/casos/verificar', { id: UNKNOWN_ID }))
    await exclude(id)
    await missing(() => t.as(gestor).post('/agravos/casos/verificar', { id }))
  })
})

describe('Possible duplicates', () => {
  /** A person of this test alone. */
  let day = 0
  const pessoa = () => ({ ...PESSOA, paciente_data_nascimento: `1980-01-${String(++day).padStart(2, '0')}` })

  it('are the same number and date, and the same person with an onset within 30 days', async () => {
    const she = pessoa()
    const same = { ...minimo(), ...she }
    const [first, near, far] = [
      await newCaso(same),
      await newCaso({ ...she, data_inicio_sintomas: '2024-02-07' }),
      await newCaso({ ...she, data_inicio_sintomas: '2024-02-06' }),
    ]
    await newCaso(pessoa())
    const { possiveis_duplicados: found } = await verificar({ ...same, data_inicio_sintomas: '2024-03-08' })
    assert.deepEqual(
      found.map(({ id, motivo }: { id: number; motivo: string }) => [id, motivo]),
      [
        [first, 'numero_e_data'],
        [near, 'paciente_e_sintomas'],
      ],
    )
    assert.deepEqual(found[0], {
      id: first,
      numero_notificacao: same.numero_notificacao,
      data_notificacao: '2024-03-12',
      motivo: 'numero_e_data',
    })
    assert.notEqual(far, near)
    await exclude(near)
    assert.equal((await verificar(same)).possiveis_duplicados.length, 1)
  })

  it('are no case itself, where it is changed', async () => {
    const she = pessoa()
    const [one, other] = [await newCaso(she), await newCaso(she)]
    const { possiveis_duplicados: found } = await verificar({ id: one, evolucao: 'cura' })
    assert.deepEqual(
      found.map(({ id }: { id: number }) => id),
      [other],
    )
  })

  it('are of another disease, sex, municipality or birth date none', async () => {
    const she = pessoa()
    await newCaso(she)
    for (const more of [
      { tipo_agravo: 'zika' },
      { paciente_sexo: 'M' },
      { municipio_residencia: 'Olinda' },
      { paciente_data_nascimento: '1979-12-31' },
    ])
      assert.deepEqual((await verificar({ ...minimo(), ...she, ...more })).possiveis_duplicados, [])
  })

  it('are by number and date alone for callers who may not identify patients', async () => {
    const cego = await t.person({ permissoes: ['agravos.criar', 'agravos.editar'] })
    const she = pessoa()
    const same = { ...minimo(), ...she }
    const first = await newCaso(same)
    await newCaso(she)
    for (const body of [same, { ...same, paciente_data_nascimento: '1970-01-01' }])
      assert.deepEqual(
        (await verificar(body, cego)).possiveis_duplicados.map(({ id }: { id: number }) => id),
        [first],
      )
    assert.deepEqual((await verificar({ ...minimo(), ...she }, cego)).possiveis_duplicados, [])
  })

  it('are inside the territory of the caller only', async () => {
    const she = pessoa()
    const same = { ...minimo(), ...she }
    const first = await newCaso(same)
    const inRecife = await bind(t, await t.person({ grupos: ['gestor'] }), RECIFE)
    const inSalvador = await bind(t, await t.person({ grupos: ['gestor'] }), SALVADOR)
    assert.deepEqual(
      (await verificar(same, inRecife)).possiveis_duplicados.map(({ id }: { id: number }) => id),
      [first],
    )
    const outside = await verificar(same, inSalvador)
    assert.deepEqual([outside.possiveis_duplicados, outside.problemas], [[], []])
    assert.equal(outside.fora_do_territorio, true)
    const moved = { ...same, municipio_residencia: 'Salvador', estado_residencia: 'BA' }
    const { possiveis_duplicados, problemas, fora_do_territorio } = await verificar(moved, inSalvador)
    assert.deepEqual([possiveis_duplicados, fora_do_territorio], [[], false])
    const { body } = await t.as(inSalvador).post('/agravos/casos', moved)
    assert.deepEqual(problemas, asProblemas(body.error.details))
    await missing(() => t.as(inSalvador).post('/agravos/casos/verificar', { id: first }))
  })

  it('would be out of the territory where a change moves the case there', async () => {
    const inRecife = await bind(t, await t.person({ grupos: ['gestor'] }), RECIFE)
    const id = await newCaso()
    const move = { municipio_residencia: 'Salvador', estado_residencia: 'BA' }
    assert.equal((await verificar({ id, ...move }, inRecife)).fora_do_territorio, true)
    assert.equal((await t.as(inRecife).put(path(id), move)).status, 403)
    assert.equal((await verificar({ id, evolucao: 'cura' }, inRecife)).fora_do_territorio, false)
  })
})
