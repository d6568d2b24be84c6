import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { indexMunicipios } from '../../src/brasil/municipios.ts'
import { fromCaso } from '../../src/contracts/b/caso-entrada.shapes.ts'
import { toMembers } from '../../src/contracts/b/caso-saida.shapes.ts'
import {
  type Campos,
  type CampoValue,
  EMPTY_CASE,
  FIELD_NAMES,
  type FieldName,
  isSecret,
} from '../../src/domain/casos/campos.ts'
import { CONHECIDA } from '../../web/console/screens/formulario/conhecida.ts'
import { createForm } from '../../web/console/screens/formulario/form-state.ts'
import { readField, tidied, writeField } from '../../web/console/screens/formulario/reading.ts'
import { bodyOf, fieldAt, fromDetalhe } from '../../web/console/screens/formulario/record.ts'
import {
  campoOf,
  FORM_FIELDS,
  isMunicipio,
  paperCode,
} from '../../web/console/screens/formulario/sections.ts'
import { readDate } from '../../web/console/ui/date-text.ts'

const TODAY = '2026-11-14'
const RECIFE = 2611606
const now = () => new Date('2026-11-14T15:00:00Z')

/** A value of each field, as the service would store it. */
function example(nome: FieldName): CampoValue {
  const campo = campoOf(nome)
  if (isMunicipio(nome)) return RECIFE
  switch (campo.kind) {
    case 'one-of':
      return nome.includes('estado') ? 'PE' : (campo.values[0] as string)
    case 'list-of':
      return campo.values.slice(0, 2) as string[]
    case 'texts':
      return ['asma', 'diabetes']
    case 'locais':
      return [{ local: 'Escola', endereco: null, periodo: 'manhã' }]
    case 'boolean':
      return false
    case 'date':
      return '2026-11-10'
    case 'integer':
    case 'number':
      return campo.min + 1
    case 'code':
      return { cep: '50030230', cnes: '0000123', telefone: '(81) 3333-4444' }[campo.form]
    default:
      return 'texto'
  }
}
const whole = Object.fromEntries(FIELD_NAMES.map((nome) => [nome, example(nome)])) as Campos

const filled = (fields: Partial<Record<FieldName, string>>, stored: Campos | null = null) => {
  const form = createForm(CONHECIDA, stored, {}, now)
  for (const [nome, value] of Object.entries(fields)) form.type(nome as FieldName, value)
  return form
}
const REQUIRED = {
  tipo_agravo: 'dengue',
  numero_notificacao: '123',
  data_notificacao: '12112026',
  paciente_nome: 'Maria da Silva',
  municipio_residencia: String(RECIFE),
}

describe('The fields of the case form', () => {
  it('are all of the table but those that follow, are noted once, or come from files', () => {
    assert.deepEqual(
      FIELD_NAMES.filter((nome) => !FORM_FIELDS.includes(nome)),
      ['status', 'dados_especificos.idade_informada', 'dados_especificos.data_digitacao'],
    )
    assert.equal(new Set(FORM_FIELDS).size, FORM_FIELDS.length, 'each once')
  })

  it('come back from typing as they are stored, each of them', () => {
    for (const nome of FORM_FIELDS) {
      const read = readField(CONHECIDA, nome, writeField(CONHECIDA, nome, example(nome)), TODAY)
      assert.deepEqual(read, { value: example(nome) }, nome)
    }
  })

  it('are sent under names and in forms that the service reads', () => {
    const { entrada, problems } = fromCaso(bodyOf(whole))
    assert.deepEqual(problems, [])
    for (const nome of FIELD_NAMES) {
      const isPlace = campoOf(nome).kind === 'municipio'
      assert.deepEqual(entrada[nome], isPlace ? String(whole[nome]) : whole[nome], nome)
    }
  })

  it('are read from an answer as they are stored, without what identifies the patient', () => {
    const recife = { codigo: RECIFE, nome: 'Recife', uf: 'PE', latitude: 0, longitude: 0, regiao: null }
    const caso = { ...whole, nome: 'M.S.', sigilo: null, versao: 3, criado_em: now(), atualizado_em: now() }
    const answer = toMembers(caso as never, indexMunicipios([recife]))
    const campos = fromDetalhe(JSON.parse(JSON.stringify(answer)), CONHECIDA)
    for (const nome of FIELD_NAMES)
      assert.deepEqual(campos[nome], isSecret(nome) ? EMPTY_CASE[nome] : whole[nome], nome)
  })

  it('take dates as people type them', () => {
    for (const [text, date] of [
      ['14112026', TODAY],
      ['14/11/2026', TODAY],
      ['1-3-26', '2026-03-01'],
      ['200590', '1990-05-20'],
      ['hoje', TODAY],
      ['Ontem', '2026-11-13'],
      ['31022026', null],
      ['1411202', null],
      ['amanhã', null],
    ] as const)
      assert.equal(readDate(text, TODAY), date, text)
    assert.equal(tidied(CONHECIDA, 'data_notificacao', 'hoje', TODAY), '14/11/2026')
    assert.equal(tidied(CONHECIDA, 'unidade_notificante.telefone', '81999998888', TODAY), '(81) 99999-8888')
    assert.equal(tidied(CONHECIDA, 'data_notificacao', '99', TODAY), '99', 'what is none stays as it is')
  })

  it('have the codes of the paper form', () => {
    assert.equal(paperCode('paciente_raca', 'ignorado', 'dengue'), '9')
    assert.equal(paperCode('paciente_escolaridade', 'analfabeto', 'dengue'), '0')
    assert.equal(paperCode('evolucao', 'obito', 'dengue'), '2')
    assert.equal(paperCode('classificacao_final', 'dengue_grave', 'dengue'), '12')
    assert.equal(paperCode('classificacao_final', 'confirmado', 'chikungunya'), '13')
    assert.equal(paperCode('estado_residencia', 'PE', 'dengue'), null)
  })

  it('are found by the place that a problem of the service names', () => {
    assert.equal(fieldAt('dados_clinicos.comorbidades.3', CONHECIDA), 'dados_clinicos.comorbidades')
    assert.equal(fieldAt('Idempotency-Key', CONHECIDA), null)
  })
})

describe('The state of a case form', () => {
  it('speaks after a field was left, then at every key; of the rest when it is sent', () => {
    const form = filled({ numero_notificacao: '1', data_notificacao: '31129999' })
    assert.equal(form.problemOf.data_notificacao.value, undefined)
    form.leave('data_notificacao')
    assert.deepEqual(form.problemOf.data_notificacao.value, {
      at: 'body',
      path: ['data_notificacao'],
      code: 'IN_FUTURE',
      params: {},
    })
    assert.equal(form.problemsIn.gerais?.value, 1)
    form.type('data_notificacao', '12112026')
    assert.equal(form.problemOf.data_notificacao.value, undefined)
    form.leaveAll()
    assert.equal(form.problemsIn.gerais?.value, 1, 'the disease is missing')
    assert.deepEqual(
      [...form.problems.value.keys()],
      ['tipo_agravo', 'paciente_nome', 'municipio_residencia', 'estado_residencia'],
    )
  })

  it('shows what follows, and a municipality brings its state', () => {
    const form = filled({
      ...REQUIRED,
      data_inicio_sintomas: '10112026',
      paciente_data_nascimento: '11111990',
      classificacao_final: 'dengue_grave',
      criterio_confirmacao: 'laboratorial',
    })
    const { paciente_idade, status, estado_residencia } = form.result.value
    assert.deepEqual([paciente_idade, status, estado_residencia], [35, 'encerrado', 'PE'])
    assert.equal(form.isShown.paciente_idade.value, false, 'the age is not asked beside a birth date')
    assert.deepEqual([...form.problems.value], [])
    form.type('estado_residencia', 'SP')
    assert.deepEqual([...form.problems.value.keys()], ['municipio_residencia'])
  })

  it('hides what does not apply and does not send it', () => {
    const form = filled({ ...REQUIRED, paciente_sexo: 'F', paciente_gestante: 'sim' })
    form.type('dados_especificos.idade_gestacional', 'primeiro_trimestre')
    assert.equal(form.changes.value.paciente_gestante, true)
    form.type('paciente_sexo', 'M')
    assert.equal(form.isShown.paciente_gestante.value, false)
    assert.equal(form.isShown['dados_especificos.idade_gestacional'].value, false)
    assert.deepEqual(Object.keys(form.changes.value).toSorted(), [
      'data_notificacao',
      'estado_residencia',
      'municipio_residencia',
      'numero_notificacao',
      'paciente_nome',
      'paciente_sexo',
      'tipo_agravo',
    ])
    assert.deepEqual([...form.problems.value], [])
  })

  it('sends of a stored case what changed; empties what no longer applies, and nothing that was out of place before', () => {
    const stored: Campos = {
      ...EMPTY_CASE,
      tipo_agravo: 'dengue',
      numero_notificacao: '9',
      data_notificacao: '2026-11-01',
      municipio_residencia: RECIFE,
      estado_residencia: 'PE',
      status: 'em_investigacao',
      paciente_sexo: 'F',
      paciente_gestante: true,
      paciente_idade: 30,
      'dados_laboratoriais.data_igm': '2026-11-01',
    }
    const form = filled({ bairro_residencia: 'Pina' }, stored)
    assert.deepEqual(form.changes.value, { bairro_residencia: 'Pina' })
    assert.equal(
      form.isShown['dados_laboratoriais.data_igm'].value,
      true,
      'a date without its result is seen',
    )
    form.type('paciente_sexo', 'M')
    form.type('bairro_residencia', '')
    assert.deepEqual(form.changes.value, { paciente_sexo: 'M', paciente_gestante: null })
    form.type('numero_notificacao', '')
    assert.deepEqual([...form.problems.value.keys()], ['numero_notificacao'], 'the name is not asked again')
    form.type('numero_notificacao', '9')
    form.type('paciente_data_nascimento', '01012000')
    assert.equal('paciente_idade' in form.changes.value, false, 'the age follows there too')
    assert.equal(form.result.value.paciente_idade, 26)
  })

  it('takes text that is no municipality for a problem, and keeps it', () => {
    const form = filled({ ...REQUIRED, municipio_residencia: 'recif' })
    assert.deepEqual([...form.problems.value.keys()], ['municipio_residencia', 'estado_residencia'])
    assert.equal(form.snapshot().municipio_residencia, 'recif')
  })

  it('empties a stored secret only where that is said, never because its field is empty', () => {
    const stored = { ...EMPTY_CASE, numero_notificacao: '9', bairro_residencia: 'Pina' } as Campos
    const form = filled({ cep_residencia: '50030230' }, stored)
    form.type('cep_residencia', '')
    assert.deepEqual(form.changes.value, {})
    form.erase('latitude', true)
    form.erase('cep_residencia', true)
    assert.deepEqual(form.changes.value, { latitude: null, longitude: null, cep_residencia: null })
    assert.equal(form.isChanged.value, true)
    form.type('cep_residencia', '50030231')
    form.erase('longitude', false)
    assert.deepEqual(form.changes.value, { cep_residencia: '50030231' })
    const again = createForm(CONHECIDA, stored, {}, now, ['cep_residencia'])
    again.rebase({ ...stored, bairro_residencia: 'Boa Vista' }, new Set())
    assert.deepEqual(again.changes.value, { cep_residencia: null }, 'as a draft has it, over another version')
  })

  it('puts another version beneath what was typed', () => {
    const stored = { ...EMPTY_CASE, numero_notificacao: '9', bairro_residencia: 'Pina' } as Campos
    const form = filled({ zona_residencia: 'urbana' }, stored)
    form.rebase(
      { ...stored, bairro_residencia: 'Boa Viagem', evolucao: 'cura' },
      new Set(['zona_residencia']),
    )
    assert.deepEqual(form.changes.value, { zona_residencia: 'urbana' })
    assert.equal(form.typed.bairro_residencia.value, 'Boa Viagem')
    assert.deepEqual(form.snapshot(), { zona_residencia: 'urbana' })
  })
})
