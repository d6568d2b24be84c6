import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Municipio } from '../../../src/brasil/municipios.ts'
import {
  CAMPOS,
  type Campo,
  FIELD_NAMES,
  type FieldName,
  leafOf,
  ONCE_FIELDS,
} from '../../../src/domain/casos/campos.ts'
import { casosApp } from './casos-app.ts'
import { randomCasos } from './casos-arbitrarios.ts'

const { t, newCaso, identify } = await casosApp()
after(() => t.close())

const TOTAL = 1000
const AT_ONCE = 10

/** What a reader is to see of what was sent. */
function expected(nome: FieldName, value: unknown): unknown {
  if (value === undefined) return nome === 'dados_clinicos.comorbidades' ? [] : null
  const campo: Campo = CAMPOS[nome]
  if (nome === 'dados_especificos.sinais_gravidade' && (value as unknown[]).length === 0) return null
  if (campo.kind === 'municipio') return String((value as Municipio).codigo)
  if (campo.kind === 'code' && campo.form === 'cnes') return (value as string).padStart(7, '0')
  if (campo.kind === 'code' && campo.form === 'cep') return (value as string).replace(/^(.{5})-?/, '$1-')
  return campo.kind === 'text' ? (value as string).trim() || null : value
}

/** Where the answer has each field, if not in the group it was sent in. */
const SHOWN: Partial<Record<FieldName, string>> = {
  paciente_nome: 'paciente.nome',
  paciente_data_nascimento: 'paciente.data_nascimento',
  paciente_idade: 'paciente.idade',
  paciente_sexo: 'paciente.sexo',
  paciente_gestante: 'paciente.gestante',
  paciente_raca: 'paciente.raca',
  paciente_escolaridade: 'paciente.escolaridade',
  paciente_ocupacao: 'paciente.ocupacao',
  municipio_residencia: 'endereco.codigo_ibge',
  estado_residencia: 'endereco.estado_residencia',
  bairro_residencia: 'endereco.bairro',
  zona_residencia: 'endereco.zona',
  logradouro_residencia: 'endereco.logradouro',
  numero_residencia: 'endereco.numero',
  cep_residencia: 'endereco.cep',
  latitude: 'endereco.latitude',
  longitude: 'endereco.longitude',
  municipio_infeccao: 'local_infeccao.codigo_ibge',
  estado_infeccao: 'local_infeccao.estado',
  pais_infeccao: 'local_infeccao.pais',
  data_internacao: 'dados_clinicos.data_internacao',
  uti: 'dados_clinicos.uti',
}

function shown(caso: unknown, nome: FieldName): unknown {
  const path = (SHOWN[nome] ?? nome).split('.')
  const value = path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], caso) ?? null
  return nome === 'data_notificacao' ? (value as string).slice(0, 10) : value
}

describe(`${TOTAL} random cases`, () => {
  it('are read as they were sent, field by field, without loss', async () => {
    const random = randomCasos(TOTAL, 20_240_312)
    const told = new Set<FieldName>()
    const check = async (index: number) => {
      const { sent, body } = random[index] as (typeof random)[number]
      const caso = await identify(await newCaso(body))
      const closed =
        sent.data_encerramento !== undefined ||
        (sent.classificacao_final !== undefined &&
          ['laboratorial', 'clinico_epidemiologico'].includes(sent.criterio_confirmacao as string))
      assert.equal(caso.status, closed ? 'encerrado' : 'em_investigacao')
      for (const nome of FIELD_NAMES) {
        const isSetOnce = ONCE_FIELDS.includes(nome) && sent[nome] === undefined
        if (nome === 'status' || isSetOnce) continue
        if (sent[nome] !== undefined) told.add(nome)
        assert.deepEqual(shown(caso, nome), expected(nome, sent[nome]), `${leafOf(nome)} of case ${index}`)
      }
    }
    for (let start = 0; start < TOTAL; start += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => check(start + i)))
    assert.equal(told.size, FIELD_NAMES.length - 1, 'every field but the status was sent in some case')
  })
})
