import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dateInBrazil } from '../../../src/brasil/calendar.ts'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { CONHECIDAS } from '../../../src/domain/casos/agravos/registro.ts'
import { type Campos, EMPTY_CASE } from '../../../src/domain/casos/campos.ts'
import { DENGUE_ONLY, OBITOS } from '../../../src/domain/casos/enumeracoes.ts'
import { applyRules } from '../../../src/domain/casos/regras.ts'

const municipios = await loadMunicipios()
const TODAY = '2026-03-20'
const BASE: Partial<Campos> = {
  tipo_agravo: 'dengue',
  numero_notificacao: '1',
  data_notificacao: '2026-03-12',
  paciente_nome: 'Maria',
  municipio_residencia: 2_611_606,
  estado_residencia: 'PE',
}

function apply(sent: Partial<Campos>, before: Campos | null = null, today = TODAY) {
  const all = before === null ? { ...BASE, ...sent } : sent
  const { campos, problems } = applyRules(before, all, { today, municipios, agravos: CONHECIDAS })
  return { campos, problems: problems.map(({ path, code }) => `${path.join('.')} ${code}`) }
}

function stored(sent: Partial<Campos> = {}): Campos {
  const { campos, problems } = apply(sent)
  assert.deepEqual(problems, [])
  return campos
}

/** [what, fields beside the required ones, what is wrong]. */
type Example = [string, Partial<Campos>, string[]?]

const DATES: Example[] = [
  ['a notification today', { data_notificacao: TODAY }],
  ['a notification tomorrow', { data_notificacao: '2026-03-21' }, ['data_notificacao IN_FUTURE']],
  ['an onset on the day of the notification', { data_inicio_sintomas: '2026-03-12' }],
  ['an onset the day after', { data_inicio_sintomas: '2026-03-13' }, ['data_inicio_sintomas AFTER']],
  ['a birth on the day of the onset', both('2026-03-01', '2026-03-01')],
  ['a birth after the onset', both('2026-03-02', '2026-03-01'), ['paciente_data_nascimento AFTER']],
  ['a birth on the day of the notification', { paciente_data_nascimento: '2026-03-12' }],
  [
    'a birth after the notification',
    { paciente_data_nascimento: '2026-03-13' },
    ['paciente_data_nascimento AFTER'],
  ],
  [
    'a birth in the future',
    { paciente_data_nascimento: '2026-03-21' },
    ['paciente_data_nascimento IN_FUTURE', 'paciente_data_nascimento AFTER'],
  ],
  ['an age of 130 years', { paciente_data_nascimento: '1896-03-12' }],
  [
    'an age of more than 130 years',
    { paciente_data_nascimento: '1895-03-12' },
    ['paciente_data_nascimento INCONSISTENT'],
  ],
  ['a death on the day of the onset', death('2026-03-01')],
  ['a death before the onset', death('2026-02-28'), ['data_obito BEFORE']],
  ['a death in the future', death('2026-03-21'), ['data_obito IN_FUTURE']],
  ['a death before the notification, without onset', { data_obito: '2026-03-10', evolucao: 'obito' }],
  ['an investigation on the day of the notification', { data_investigacao: '2026-03-12' }],
  ['an investigation before', { data_investigacao: '2026-03-11' }, ['data_investigacao BEFORE']],
  ['a closing on the day of the notification', { data_encerramento: '2026-03-12' }],
  ['a closing before', { data_encerramento: '2026-03-11' }, ['data_encerramento BEFORE']],
  ['a closing tomorrow', { data_encerramento: '2026-03-21' }, ['data_encerramento IN_FUTURE']],
  [
    'a closing on the day of the investigation',
    { data_investigacao: '2026-03-15', data_encerramento: '2026-03-15' },
  ],
  [
    'a closing before the investigation',
    { data_investigacao: '2026-03-15', data_encerramento: '2026-03-14' },
    ['data_encerramento BEFORE'],
  ],
  ['an admission on the day of the onset', admission('2026-03-01')],
  ['an admission before the onset', admission('2026-02-28'), ['data_internacao BEFORE']],
  [
    'a laboratory date in the future',
    { 'dados_laboratoriais.data_ns1': '2026-03-21' },
    ['dados_laboratoriais.data_ns1 IN_FUTURE'],
  ],
  [
    'a date of warning signs in the future',
    { 'dados_especificos.data_sinais_alarme': '2026-03-21' },
    ['dados_especificos.data_sinais_alarme IN_FUTURE'],
  ],
]

function both(paciente_data_nascimento: string, data_inicio_sintomas: string) {
  return { paciente_data_nascimento, data_inicio_sintomas }
}
function death(data_obito: string) {
  return { data_inicio_sintomas: '2026-03-01', evolucao: 'obito', data_obito } as const
}
function admission(data_internacao: string) {
  return { data_inicio_sintomas: '2026-03-01', hospitalizacao: true, data_internacao }
}

const AGREEMENT: Example[] = [
  ...OBITOS.map(
    (evolucao): Example => [
      `a date of death with ${evolucao}`,
      { evolucao: evolucao as Campos['evolucao'], data_obito: '2026-03-15' },
    ],
  ),
  ...(['cura', 'ignorado', null] as const).map(
    (evolucao): Example => [
      `a date of death with ${evolucao}`,
      { evolucao, data_obito: '2026-03-15' },
      ['data_obito INCONSISTENT'],
    ],
  ),
  ['a death without its date', { evolucao: 'obito' }],
  ['a pregnant woman', { paciente_gestante: true, paciente_sexo: 'F' }],
  ['a pregnancy where the sex is unknown', { paciente_gestante: true, paciente_sexo: 'I' }],
  ['a pregnancy where no sex is told', { paciente_gestante: true }],
  ['a man who is not pregnant', { paciente_gestante: false, paciente_sexo: 'M' }],
  ['a pregnant man', { paciente_gestante: true, paciente_sexo: 'M' }, ['paciente_gestante INCONSISTENT']],
  ['an admission with hospitalisation', { hospitalizacao: true, data_internacao: '2026-03-12' }],
  ['an admission without', { data_internacao: '2026-03-12' }, ['data_internacao INCONSISTENT']],
  [
    'an admission that was none',
    { hospitalizacao: false, data_internacao: '2026-03-12' },
    ['data_internacao INCONSISTENT'],
  ],
  ['intensive care with hospitalisation', { hospitalizacao: true, uti: true }],
  ['intensive care where no hospitalisation is told', { uti: true }],
  ['no intensive care without hospitalisation', { hospitalizacao: false, uti: false }],
  ['intensive care without hospitalisation', { hospitalizacao: false, uti: true }, ['uti INCONSISTENT']],
  ['a place with both coordinates', { latitude: 0, longitude: 0 }],
  ['a latitude alone', { latitude: -8 }, ['longitude REQUIRED']],
  ['a longitude alone', { longitude: -34 }, ['latitude REQUIRED']],
  ['a municipality of another state', { estado_residencia: 'SP' }, ['municipio_residencia INCONSISTENT']],
  ['a state of infection alone', { estado_infeccao: 'SP' }],
  ['a place of infection that agrees', { municipio_infeccao: 3_550_308, estado_infeccao: 'SP' }],
  [
    'a place of infection in another state',
    { municipio_infeccao: 3_550_308, estado_infeccao: 'PE' },
    ['municipio_infeccao INCONSISTENT'],
  ],
  [
    'a place of infection without its state',
    { municipio_infeccao: 3_550_308, estado_infeccao: null },
    ['municipio_infeccao INCONSISTENT'],
  ],
  ...(['zika', 'chikungunya'] as const).flatMap((tipo_agravo) => [
    ...(DENGUE_ONLY as Campos['classificacao_final'][]).flatMap((classe): Example[] => [
      [
        `${classe} of ${tipo_agravo}`,
        { tipo_agravo, classificacao_final: classe },
        ['classificacao_final INCONSISTENT'],
      ],
      [
        `${classe} of ${tipo_agravo} at first`,
        { tipo_agravo, classificacao_inicial: classe },
        ['classificacao_inicial INCONSISTENT'],
      ],
    ]),
    ...(['confirmado', 'descartado', 'inconclusivo'] as const).map(
      (classe): Example => [
        `${classe} of ${tipo_agravo}`,
        { tipo_agravo, classificacao_final: classe, classificacao_inicial: 'suspeito' },
      ],
    ),
  ]),
  ...(DENGUE_ONLY as Campos['classificacao_final'][]).map(
    (classe): Example => [
      `${classe} of dengue`,
      { classificacao_final: classe, classificacao_inicial: classe },
    ],
  ),
]

for (const [group, examples] of [
  ['the dates of a case', DATES],
  ['the fields of a case', AGREEMENT],
] as const)
  describe(group, () => {
    for (const [what, sent, expected = []] of examples)
      it(`${expected.length > 0 ? 'cannot be' : 'can be'} ${what}`, () => {
        assert.deepEqual(apply(sent).problems, expected)
      })
  })

describe('all problems', () => {
  it('come at once', () => {
    const { problems } = apply({
      data_notificacao: '2026-03-30',
      latitude: 5,
      paciente_sexo: 'M',
      paciente_gestante: true,
      data_obito: '2026-03-15',
      estado_residencia: 'AC',
    })
    assert.deepEqual(problems.toSorted(), [
      'data_notificacao IN_FUTURE',
      'data_obito INCONSISTENT',
      'longitude REQUIRED',
      'municipio_residencia INCONSISTENT',
      'paciente_gestante INCONSISTENT',
    ])
  })

  it('are looked for in the case as it will be: a change may contradict what is there', () => {
    const before = stored({ evolucao: 'obito', data_obito: '2026-03-15', paciente_sexo: 'M' })
    assert.deepEqual(apply({ evolucao: 'cura' }, before).problems, ['data_obito INCONSISTENT'])
    assert.deepEqual(apply({ evolucao: 'cura', data_obito: null }, before).problems, [])
    assert.deepEqual(apply({ paciente_gestante: true }, before).problems, ['paciente_gestante INCONSISTENT'])
    assert.deepEqual(apply({ data_inicio_sintomas: '2026-03-13' }, before).problems, [
      'data_inicio_sintomas AFTER',
    ])
  })
})

describe('today', () => {
  for (const [moment, expected] of [
    ['2026-03-13T02:59:59.999Z', ['data_notificacao IN_FUTURE']],
    ['2026-03-13T03:00:00.000Z', []],
    ['2026-03-14T02:59:59.999Z', []],
  ] as const)
    it(`is the day in America/Sao_Paulo: at ${moment}, the 13th ${expected.length ? 'has not come' : 'is here'}`, () => {
      const today = dateInBrazil(new Date(moment))
      assert.deepEqual(apply({ data_notificacao: '2026-03-13' }, null, today).problems, expected)
    })
})

describe('the age', () => {
  for (const [what, sent, idade] of [
    ['in completed years at the onset, on the birthday', both('1990-03-01', '2026-03-01'), 36],
    ['in completed years at the onset, a day before the birthday', both('1990-03-02', '2026-03-01'), 35],
    ['at the notification where there is no onset', { paciente_data_nascimento: '1990-03-12' }, 36],
    ['of a newborn', both('2026-03-01', '2026-03-01'), 0],
    ['as told where there is no birth date', { paciente_idade: 41 }, 41],
    ['as told, if it agrees', { paciente_data_nascimento: '1990-03-12', paciente_idade: 36 }, 36],
    ['unknown where nothing is told', {}, null],
  ] as [string, Partial<Campos>, number | null][])
    it(`is ${what}`, () => {
      const { campos, problems } = apply(sent)
      assert.deepEqual(problems, [])
      assert.equal(campos.paciente_idade, idade)
    })

  for (const paciente_idade of [35, 37, 0])
    it(`of ${paciente_idade} is refused where the birth date says 36`, () => {
      assert.deepEqual(apply({ paciente_data_nascimento: '1990-03-12', paciente_idade }).problems, [
        'paciente_idade INCONSISTENT',
      ])
    })

  it('follows a corrected onset, and stays when the birth date goes', () => {
    const before = stored(both('1990-03-05', '2026-03-06'))
    assert.equal(before.paciente_idade, 36)
    assert.equal(apply({ data_inicio_sintomas: '2026-03-04' }, before).campos.paciente_idade, 35)
    assert.equal(apply({ paciente_idade: null }, before).campos.paciente_idade, 36)
    assert.equal(apply({ paciente_data_nascimento: null }, before).campos.paciente_idade, 36)
  })
})

const CLASSIFIED = { classificacao_final: 'dengue_grave', criterio_confirmacao: 'laboratorial' } as const

describe('the status', () => {
  for (const [what, sent, status] of [
    ['of a new case', {}, 'em_investigacao'],
    ['without a criterion', { classificacao_final: 'descartado' }, 'em_investigacao'],
    [
      'while the criterion is under investigation',
      { classificacao_final: 'descartado', criterio_confirmacao: 'em_investigacao' },
      'em_investigacao',
    ],
    ['with a criterion alone', { criterio_confirmacao: 'laboratorial' }, 'em_investigacao'],
    ['with classification and criterion', CLASSIFIED, 'encerrado'],
    [
      'discarded by clinical criterion',
      { classificacao_final: 'descartado', criterio_confirmacao: 'clinico_epidemiologico' },
      'encerrado',
    ],
    ['with a closing date', { data_encerramento: '2026-03-15' }, 'encerrado'],
    ['asked for, with what closes it', { ...CLASSIFIED, status: 'encerrado' }, 'encerrado'],
  ] as [string, Partial<Campos>, string][])
    it(`${what} is ${status}`, () => assert.equal(stored(sent).status, status))

  for (const [what, sent, expected] of [
    ['closed without anything that closes it', { status: 'encerrado' }, 'status INCONSISTENT'],
    [
      'closed by date under a criterion of investigation',
      { criterio_confirmacao: 'em_investigacao', data_encerramento: '2026-03-15' },
      'data_encerramento INCONSISTENT',
    ],
    [
      'open with a closing date',
      { status: 'em_investigacao', data_encerramento: '2026-03-15' },
      'data_encerramento INCONSISTENT',
    ],
    [
      'open with a final classification and criterion',
      { ...CLASSIFIED, status: 'em_investigacao' },
      'criterio_confirmacao INCONSISTENT',
    ],
    [
      'closed and under investigation',
      { ...CLASSIFIED, status: 'encerrado', criterio_confirmacao: 'em_investigacao' },
      'status INCONSISTENT',
    ],
  ] as [string, Partial<Campos>, string][])
    it(`cannot be ${what}, in a new case or in one that is there`, () => {
      assert.deepEqual(apply(sent).problems, [expected])
      assert.deepEqual(apply(sent, stored()).problems, [expected])
    })

  const CLOSED = { ...CLASSIFIED, data_encerramento: '2026-03-15' }
  for (const [what, sent] of [
    ['by status', { status: 'em_investigacao' }],
    ['by criterion', { criterio_confirmacao: 'em_investigacao' }],
    ['by both', { status: 'em_investigacao', criterio_confirmacao: 'em_investigacao' }],
    ['with the closing date taken back in words', { status: 'em_investigacao', data_encerramento: null }],
  ] as [string, Partial<Campos>][])
    it(`is opened again ${what}: the closing date goes, the classification stays`, () => {
      const { campos, problems } = apply(sent, stored(CLOSED))
      assert.deepEqual(problems, [])
      assert.equal(campos.status, 'em_investigacao')
      assert.equal(campos.data_encerramento, null)
      assert.equal(campos.criterio_confirmacao, 'em_investigacao')
      assert.equal(campos.classificacao_final, 'dengue_grave')
    })

  it('closed by date alone opens again without a criterion being invented', () => {
    const { campos } = apply({ status: 'em_investigacao' }, stored({ data_encerramento: '2026-03-15' }))
    assert.deepEqual(
      [campos.status, campos.data_encerramento, campos.criterio_confirmacao],
      ['em_investigacao', null, null],
    )
  })

  it('closes again with a new criterion', () => {
    const open = apply({ status: 'em_investigacao' }, stored(CLOSED)).campos
    assert.equal(apply({ criterio_confirmacao: 'laboratorial' }, open).campos.status, 'encerrado')
  })

  it('stays closed when a closed case is corrected, and opens when all that closed it is taken back', () => {
    assert.equal(apply({ evolucao: 'cura' }, stored(CLOSED)).campos.status, 'encerrado')
    assert.equal(apply({ classificacao_final: 'descartado' }, stored(CLOSED)).campos.status, 'encerrado')
    assert.equal(apply({ data_encerramento: null }, stored(CLOSED)).campos.status, 'encerrado')
    const back = { data_encerramento: null, classificacao_final: null }
    assert.equal(apply(back, stored(CLOSED)).campos.status, 'em_investigacao')
  })
})

describe('a contradictory date that a case already has', () => {
  const before = { ...stored({ data_inicio_sintomas: '2026-03-10' }), data_obito: '2026-03-01' } as Campos

  it('does not stand in the way of other changes', () =>
    assert.deepEqual(apply({ bairro_residencia: 'Centro', data_obito: '2026-03-01' }, before).problems, []))

  for (const [what, sent, problems] of [
    ['is refused when it changes', { data_obito: '2026-03-02' }, ['BEFORE', 'INCONSISTENT']],
    ['is refused when the other date changes', { data_inicio_sintomas: '2026-03-09' }, ['BEFORE']],
    ['is refused when the other field changes', { evolucao: 'cura' }, ['INCONSISTENT']],
    ['can be taken back', { data_obito: null }, []],
  ] as Example[])
    it(what, () =>
      assert.deepEqual(
        apply(sent, before).problems,
        problems?.map((code) => `data_obito ${code}`),
      ),
    )
})

describe('a case that is judged', () => {
  it('is not changed itself', () => {
    const before = stored({ ...CLASSIFIED, data_encerramento: '2026-03-15' })
    const copy = structuredClone(before)
    apply({ status: 'em_investigacao', evolucao: 'cura' }, before)
    assert.deepEqual(before, copy)
    assert.ok(Object.values(EMPTY_CASE).every((value) => value === null))
  })
})
