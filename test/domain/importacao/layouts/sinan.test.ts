import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { canonicalJson } from '../../../../src/domain/canonical.ts'
import { COLUMN_FIELDS, DADOS, type FieldName } from '../../../../src/domain/casos/campos.ts'
import { chooseLayout } from '../../../../src/domain/importacao/layouts/choose.ts'
import { avisosOf, casoOf, contexto, convert, erroOf, fieldOf, type Linha, layoutOf, SINAN } from './rows.ts'

const without = (nome: string, linha: Linha = SINAN): Linha => {
  const { [nome]: _, ...rest } = linha
  return rest
}

describe('rows that are refused', () => {
  const ERROS: [Linha, string][] = [
    [{ ID_AGRAVO: '' }, 'Linha sem agravo'],
    [{ ID_AGRAVO: 'NA' }, 'Linha sem agravo'],
    [{ ID_AGRAVO: 'B54' }, 'Agravo "B54" desconhecido'],
    [{ DT_NOTIFIC: '' }, 'Linha sem data de notificação'],
    [{ DT_NOTIFIC: 'NULL' }, 'Linha sem data de notificação'],
    [{ DT_NOTIFIC: '201-05-08' }, 'Data de notificação "201-05-08" ilegível'],
    [{ DT_NOTIFIC: '**' }, 'Data de notificação "**" ilegível'],
    [{ DT_NOTIFIC: '2567-02-06' }, 'Data de notificação "2567-02-06" ilegível'],
    [{ DT_NOTIFIC: '2026-03-13' }, 'Data de notificação 2026-03-13 no futuro'],
    [{ DT_NOTIFIC: '', ID_AGRAVO: '' }, 'Linha sem agravo e sem data de notificação legível'],
    [{ TP_NOT: '1' }, 'Não é notificação individual: negativa'],
    [{ TP_NOT: '3' }, 'Não é notificação individual: surto'],
    [{ TP_NOT: '4.0' }, 'Não é notificação individual: agregada'],
    [{ TP_NOT: 'Surto' }, 'Não é notificação individual: surto'],
    [{ NDUPLIC_N: '2' }, 'Notificação marcada como duplicidade no SINAN'],
    [{ NDUPLIC_N: '2.0' }, 'Notificação marcada como duplicidade no SINAN'],
  ]
  for (const [linha, erro] of ERROS)
    it(`${JSON.stringify(linha)}: ${erro}`, () => assert.equal(erroOf({ ...SINAN, ...linha }), erro))

  it('the number is reported with the error', () => {
    const convertida = convert({ ...SINAN, ID_AGRAVO: '' })
    const erro = 'Linha sem agravo'
    const causas = [{ codigo: 'REQUIRED', campo: 'tipo_agravo', coluna: 'ID_AGRAVO', regra: erro }]
    assert.deepEqual(convertida, { ok: false, erro, causas, numero_notificacao: '1234567' })
  })

  it('free text in the place of the number is not reported', () => {
    const convertida = convert({ ...SINAN, ID_AGRAVO: '', NU_NOTIFIC: 'PACIENTE RELATA DOR' })
    assert.equal(convertida.ok, false)
    assert.equal(convertida.ok ? '' : convertida.numero_notificacao, null)
  })

  for (const linha of [
    { TP_NOT: '' },
    { TP_NOT: '2.0' },
    { TP_NOT: 'Individual' },
    { NDUPLIC_N: '1' },
    { NDUPLIC_N: '0' },
    { NDUPLIC_N: '' },
  ])
    it(`${JSON.stringify(linha)} is no reason`, () => assert.deepEqual(avisosOf({ ...SINAN, ...linha }), []))
})

describe('the shape of a line', () => {
  const layout = layoutOf(Object.keys(SINAN))
  const valores = Object.values(SINAN)

  it('more values than columns is a broken line', () => {
    const convertida = layout.convert([...valores, 'X'])
    assert.equal(convertida.ok ? '' : convertida.erro, 'Linha com 8 valores; o cabeçalho tem 7 colunas')
  })
  it('separators at the end of the line break nothing', () =>
    assert.deepEqual(layout.convert([...valores, '', '']), layout.convert(valores)))
  it('nor do separators in free text at the end, which is not read', () => {
    const free = layoutOf([...Object.keys(SINAN), 'DS_OBS'])
    assert.ok(free.convert([...valores, 'uma', 'duas']).ok)
  })
  it('a short line is read as far as it goes, with a warning', () => {
    const convertida = layout.convert(valores.slice(0, 5))
    assert.ok(convertida.ok)
    assert.equal(convertida.campos.municipio_residencia, null)
    assert.match(convertida.avisos[0]?.message ?? '', /^Linha com 5 valores; o cabeçalho tem 7 colunas/)
  })
  it('a line that ends before the date or the disease is refused', () => {
    assert.equal(layout.convert(valores.slice(0, 3)).ok, false)
    assert.equal(layout.convert(['texto livre de uma observação']).ok, false)
    assert.equal(layout.convert([]).ok, false)
  })
})

describe('warnings', () => {
  /** What is added to the row; the column that is named; the message; the field that is null then. */
  const AVISOS: [Linha, string, RegExp, FieldName | null][] = [
    [{ DT_SIN_PRI: '' }, 'DT_SIN_PRI', /^Sem data de início/, 'data_inicio_sintomas'],
    [{ DT_SIN_PRI: '201-05-08' }, 'DT_SIN_PRI', /^Data "201-05-08" ilegível/, 'data_inicio_sintomas'],
    [
      { DT_SIN_PRI: '2024-04-26' },
      'DT_SIN_PRI',
      /^Não pode ser posterior a data_notificacao: valor "2024-04-26"/,
      'data_inicio_sintomas',
    ],
    [{ DT_SIN_PRI: '**' }, 'DT_SIN_PRI', /ilegível/, 'data_inicio_sintomas'],
    [{ DT_ENCERRA: '2026-12-01' }, 'DT_ENCERRA', /^Não pode estar no futuro/, 'data_encerramento'],
    [
      { DT_INVEST: '2024-04-24' },
      'DT_INVEST',
      /^Não pode ser anterior a data_notificacao/,
      'data_investigacao',
    ],
    [{ DT_OBITO: '', EVOLUCAO: '4' }, 'DT_OBITO', /^Óbito sem data/, 'data_obito'],
    [{ DT_INTERNA: 'NA', HOSPITALIZ: '1' }, 'DT_INTERNA', /^Hospitalização sem data/, 'data_internacao'],
    [{ CS_SEXO: 'M', CS_GESTANT: '2' }, 'CS_GESTANT', /^Incompatível com paciente_sexo/, 'paciente_gestante'],
    [{ CS_SEXO: '7' }, 'CS_SEXO', /^Valor "7" desconhecido/, 'paciente_sexo'],
    [{ CS_GESTANT: '7' }, 'CS_GESTANT', /^Valor "7" desconhecido/, 'paciente_gestante'],
    [{ NU_IDADE_N: '4130' }, 'NU_IDADE_N', /^Valor "4130" desconhecido ou implausível/, 'paciente_idade'],
    [{ FEBRE: '0' }, 'FEBRE', /^Valor "0" desconhecido/, 'dados_especificos.febre'],
    [{ ALRM_VOM: '7' }, 'ALRM_VOM', /^Valor "7"/, 'dados_especificos.sinais_alarme'],
    [{ DIABETES: '7' }, 'DIABETES', /^Valor "7"/, 'dados_clinicos.comorbidades'],
    [{ CLASSI_FIN: '13' }, 'CLASSI_FIN', /^Classificação "13" não existe para dengue/, 'classificacao_final'],
    [
      { CLASSI_FIN: '11', ID_AGRAVO: 'A920' },
      'CLASSI_FIN',
      /^Classificação "11" não existe para chikungunya/,
      'classificacao_final',
    ],
    [{ RES_CHIKS2: '7', ID_AGRAVO: 'A920' }, 'RES_CHIKS2', /^Valor "7"/, 'dados_laboratoriais.igm'],
    [{ ID_UNIDADE: '99999999' }, 'ID_UNIDADE', /^Valor "99999999"/, 'unidade_notificante.cnes'],
    [{ PLAQ_MENOR: '-3' }, 'PLAQ_MENOR', /^Valor "-3"/, 'dados_laboratoriais.plaquetas'],
    [{ SG_UF: '61' }, 'SG_UF', /^Valor "61"/, null],
    [{ SG_UF: '35' }, 'ID_MN_RESI', /^Município de PE com a UF SP: vale a do município/, null],
    [{ ID_MN_RESI: '260000' }, 'ID_MN_RESI', /^Município ignorado da UF/, 'municipio_residencia'],
    [{ ID_MN_RESI: '269999' }, 'ID_MN_RESI', /^Município "269999" desconhecido/, 'municipio_residencia'],
    [{ ID_MN_RESI: '' }, 'ID_MN_RESI', /^Sem município de residência/, 'municipio_residencia'],
    [{ COMUNINF: '999999' }, 'COMUNINF', /^Município "999999" desconhecido/, 'municipio_infeccao'],
    [{ COPAISINF: '46' }, 'COPAISINF', /^País de código 46/, null],
    [{ SOROTIPO: '2', RESUL_PCR_: '2' }, 'SOROTIPO', /^Sorotipo sem PCR/, null],
    [{ NM_BAIRRO: 'B'.repeat(121) }, 'NM_BAIRRO', /^Texto longo demais: cortado em 120/, null],
    [{ NU_NOTIFIC: '' }, 'NU_NOTIFIC', /^Linha sem número/, null],
    [{ NU_NOTIFIC: 'X'.repeat(41) }, 'NU_NOTIFIC', /^Linha sem número/, null],
  ]
  for (const [linha, coluna, message, nulo] of AVISOS)
    it(`${JSON.stringify(linha).slice(0, 60)}: one, on ${coluna}`, () => {
      const row = { ...SINAN, ...linha }
      const avisos = avisosOf(row)
      assert.equal(avisos.length, 1, JSON.stringify(avisos))
      assert.equal(avisos[0]?.column, coluna)
      assert.match(avisos[0]?.message ?? '', message)
      if (nulo !== null) assert.equal(fieldOf(casoOf(row), nulo), null)
    })

  it('an age beyond all ages is no age, and is kept as what the source says', () => {
    const campos = casoOf({ ...SINAN, DT_NASC: '', NU_IDADE_N: '4401' })
    assert.equal(campos.paciente_idade, null)
    assert.equal(fieldOf(campos, 'dados_especificos.idade_informada'), 401)
    assert.equal(fieldOf(casoOf({ ...SINAN, NU_IDADE_N: '4029' }), 'dados_especificos.idade_informada'), null)
  })

  /** What is added to the row; the column that is named; the message; the field that keeps its date. */
  const KEPT: [Linha, string, RegExp, FieldName][] = [
    [{ DT_ENCERRA: '2024-04-24' }, 'DT_ENCERRA', /^Não pode ser anterior a data_noti/, 'data_encerramento'],
    [
      { DT_ENCERRA: '2024-05-24', CRITERIO: '3' },
      'DT_ENCERRA',
      /^Incompatível com criterio_confirmacao/,
      'data_encerramento',
    ],
    [{ DT_OBITO: '2024-04-26' }, 'DT_OBITO', /^Incompatível com evolucao/, 'data_obito'],
    [
      { DT_OBITO: '2024-04-20', EVOLUCAO: '2' },
      'DT_OBITO',
      /^Não pode ser anterior a data_ini/,
      'data_obito',
    ],
    [
      { DT_INTERNA: '2024-04-24', HOSPITALIZ: '2' },
      'DT_INTERNA',
      /^Incompatível com hosp/,
      'data_internacao',
    ],
    [{ DT_INTERNA: '2024-04-20', HOSPITALIZ: '1' }, 'DT_INTERNA', /^Não pode ser ant/, 'data_internacao'],
  ]
  for (const [linha, coluna, message, nome] of KEPT)
    it(`${JSON.stringify(linha)}: one, and the contradictory date is kept`, () => {
      const row = { ...SINAN, ...linha }
      const avisos = avisosOf(row)
      assert.equal(avisos.length, 1, JSON.stringify(avisos))
      assert.equal(avisos[0]?.column, coluna)
      assert.match(avisos[0]?.message ?? '', message)
      assert.match(avisos[0]?.message ?? '', / mantido$/)
      assert.equal(fieldOf(casoOf(row), nome), linha[coluna])
    })

  it('what tells who the patient is does not stand in a message', () => {
    const avisos = avisosOf({
      ...SINAN,
      DT_NASC: '1990-99-99',
      NU_CEP: '123456789',
      NM_LOGRADO: 'R'.repeat(201),
    })
    assert.equal(avisos.length, 3)
    assert.ok(!/1990|12345|RRR/.test(JSON.stringify(avisos)))
  })

  it('a long value is cut', () => {
    const [aviso] = avisosOf({ ...SINAN, CS_RACA: 'x'.repeat(500) })
    assert.ok((aviso?.message.length ?? 0) < 120)
  })

  it('a serotype with a positive test, a foreseen blank, a code of "unknown" bring none', () =>
    assert.deepEqual(
      avisosOf({ ...SINAN, SOROTIPO: '1', RESUL_VI_N: '1', CS_ZONA: '0', HOSPITALIZ: '9', COPAISINF: '0' }),
      [],
    ))

  it('several problems are each told once, and only dates of death, admission and closing may contradict', () => {
    const row = { ...SINAN, DT_INVEST: '2024-04-01', DT_ENCERRA: '2024-04-01', CS_SEXO: 'M', CS_GESTANT: '1' }
    const campos = casoOf(row)
    for (const nome of [
      'data_investigacao',
      'paciente_gestante',
      'dados_especificos.idade_gestacional',
    ] as const)
      assert.equal(fieldOf(campos, nome), null, nome)
    assert.equal(campos.data_encerramento, '2024-04-01')
    assert.deepEqual(
      avisosOf(row).map(({ column }) => column),
      ['DT_INVEST', 'CS_GESTANT', 'DT_ENCERRA'],
    )
  })

  it('a wrong birth date goes, and the age that was told stays', () => {
    const campos = casoOf({ ...SINAN, DT_NASC: '2024-04-30', NU_IDADE_N: '4033' })
    assert.deepEqual([campos.paciente_data_nascimento, campos.paciente_idade], [null, 33])
  })

  it('an age that contradicts the birth date goes, and that of the birth date stays', () => {
    const row = { ...SINAN, DT_NASC: '1990-01-01', NU_IDADE_N: '4050' }
    assert.equal(casoOf(row).paciente_idade, 34)
    assert.match(avisosOf(row)[0]?.message ?? '', /^Incompatível com paciente_data_nascimento/)
  })
})

describe('places', () => {
  it('the state of the municipality is kept where the file contradicts it, and told where it is silent', () => {
    assert.equal(casoOf({ ...SINAN, SG_UF: '35' }).estado_residencia, 'PE')
    assert.equal(casoOf({ ...SINAN, SG_UF: '' }).estado_residencia, 'PE')
    assert.equal(casoOf(without('SG_UF')).estado_residencia, 'PE')
  })
  it('an unknown municipality of a state leaves the state', () => {
    assert.equal(casoOf({ ...SINAN, SG_UF: '', ID_MN_RESI: '110000' }).estado_residencia, 'RO')
    assert.equal(casoOf({ ...SINAN, ID_MN_RESI: '110000' }).estado_residencia, 'PE')
  })
})

describe('weeks settle what a date means', () => {
  const dates = (linha: Linha) => {
    const { data_notificacao, data_inicio_sintomas } = casoOf({ ...SINAN, ...linha })
    return [data_notificacao, data_inicio_sintomas]
  }
  const TROCADAS = { DT_NOTIFIC: '2024-05-03', DT_SIN_PRI: '2024-02-03' }

  it('2024-05-03 is 5 March where its week says so', () =>
    assert.deepEqual(dates({ ...TROCADAS, SEM_NOT: '202410', SEM_PRI: '202409' }), [
      '2024-03-05',
      '2024-03-02',
    ]))
  it('also where the week stands without its year, or as a number', () =>
    assert.deepEqual(dates({ ...TROCADAS, SEM_NOT: '10', SEM_PRI: '202409.0' }), [
      '2024-03-05',
      '2024-03-02',
    ]))
  it('and 3 May where it says that, or fits neither, or is not there', () => {
    for (const SEM_NOT of ['202418', '202440', '', 'NA', 'x'])
      assert.deepEqual(dates({ ...TROCADAS, SEM_NOT }), ['2024-05-03', '2024-02-03'])
    assert.deepEqual(dates(TROCADAS), ['2024-05-03', '2024-02-03'])
  })
  it('a date written day first is not turned round', () =>
    assert.deepEqual(dates({ DT_NOTIFIC: '03/05/2024', SEM_NOT: '202410' })[0], '2024-05-03'))
  it('several forms in one row', () =>
    assert.deepEqual(dates({ DT_NOTIFIC: '25/04/2024', DT_SIN_PRI: '20240421' }), [
      '2024-04-25',
      '2024-04-21',
    ]))
})

describe('status', () => {
  const status = (linha: Linha) => casoOf({ ...SINAN, ...linha }).status
  it('follows from classification, criterion and closing date', () => {
    assert.equal(status({}), 'em_investigacao')
    assert.equal(status({ CLASSI_FIN: '10', CRITERIO: '1' }), 'encerrado')
    assert.equal(status({ CLASSI_FIN: '10', CRITERIO: '3' }), 'em_investigacao')
    assert.equal(status({ CLASSI_FIN: '8', DT_ENCERRA: '2024-06-25' }), 'encerrado')
  })
})

describe('derived numbers', () => {
  const PUBLICA = without('NU_NOTIFIC', {
    ...SINAN,
    NU_IDADE_N: '4050',
    FEBRE: '1',
    DIABETES: '1',
    NM_BAIRRO: 'D"AGUA',
  })
  const numero = (linha: Linha) => casoOf(linha).numero_notificacao

  it('are a hash of the open values that are there', () => {
    const campos = casoOf(PUBLICA)
    const open = [...COLUMN_FIELDS, ...DADOS].filter(
      (nome) => nome !== 'numero_notificacao' && nome !== 'status',
    )
    const told = Object.fromEntries(
      open.map((nome) => [nome, campos[nome]]).filter(([, value]) => value !== null),
    )
    const hash = createHash('sha256').update(canonicalJson(told)).digest('hex')
    assert.equal(numero(PUBLICA), `DATASUS-${hash.slice(0, 16)}`)
  })

  it('are the same whether the file tells where and when it was notified and typed, or not', () => {
    const told = { SG_UF_NOT: '26', ID_MUNICIP: '261160', ID_REGIONA: '1497', DT_DIGITA: '2024-04-26' }
    const admitted = { UF: '26', MUNICIPIO: '261160', HOSPITAL: '477', DOENCA_TRA: '2' }
    assert.equal(numero({ ...PUBLICA, ...told, ...admitted }), numero(PUBLICA))
  })

  it('are the same for another spelling and another order of columns', () => {
    const outra = {
      DT_SIN_PRI: '21/4/2024',
      dt_notific: '20240425',
      ID_MN_RESI: '2611606',
      SG_UF: 'PE',
      id_agravo: 'A90 ',
      NM_BAIRRO: 'D"AGUA',
      FEBRE: '1.0',
      DIABETES: 'Sim',
      NU_IDADE_N: '4050.0',
      HOSPITALIZ: 'NA',
      NDUPLIC_N: '1',
    }
    assert.equal(numero(outra), numero(PUBLICA))
  })

  it('differ where a value does', () => assert.notEqual(numero({ ...PUBLICA, FEBRE: '2' }), numero(PUBLICA)))

  it('do not tell of what identifies the patient', () =>
    assert.equal(
      numero({ ...PUBLICA, NM_PACIENT: 'JOANA TESTE', NM_LOGRADO: 'RUA INVENTADA' }),
      numero(PUBLICA),
    ))

  it('do not change when a value that is left out today is acceptable tomorrow', () => {
    const futura = { ...PUBLICA, DT_ENCERRA: '2026-03-20' }
    const later = chooseLayout(Object.keys(futura), { ...contexto(), today: '2026-03-21' })
    assert.ok(!('refusal' in later))
    const convertida = later.convert(Object.values(futura))
    assert.ok(convertida.ok)
    assert.deepEqual(
      [casoOf(futura).data_encerramento, convertida.campos.data_encerramento],
      [null, '2026-03-20'],
    )
    assert.equal(convertida.campos.numero_notificacao, numero(futura))
  })

  it('are one warning for the file without the column, one for each row without the value', () => {
    assert.deepEqual(avisosOf(PUBLICA), [])
    assert.match(layoutOf(Object.keys(PUBLICA)).avisos[0]?.message ?? '', /NU_NOTIFIC/)
    assert.deepEqual(layoutOf(Object.keys(SINAN)).avisos, [])
    const blank = convert({ ...SINAN, NU_NOTIFIC: 'NA' })
    assert.ok(blank.ok && blank.derivado && blank.avisos.length === 1)
    const told = convert(SINAN)
    assert.ok(told.ok && !told.derivado)
  })
})

it('a name that the file does not have is null', () => assert.equal(casoOf(SINAN).paciente_nome, null))
