import { gzipSync } from 'node:zlib'
import { picture } from '../test/contracts/a/pictures.ts'
import { csv, linha, sinan } from '../test/contracts/b/importacoes-app.ts'
import { MULTIPART, multipart, type Part } from '../test/harness/multipart.ts'
import { casoPlantado, PDF } from '../test/planted.ts'
import type { Operation } from './document.ts'
import { NASTY_TEXTS } from './nasty.ts'
import type { Random } from './random.ts'
import type { Values } from './values.ts'

export interface Form {
  headers: Record<string, string>
  payload: Buffer
  invalid: string | null
}

/** Forms with a file: good ones, and broken in the file, in the fields and in the form itself. */
export async function createForms(random: Random, values: Values) {
  const pictures = [await picture('png', 40, 30), await picture('jpeg', 40, 30)]
  const table = () =>
    csv(
      ...Array.from({ length: random.integer(1, 5) }, () =>
        random.pick([plantedRow, linha, () => linha({ estado_residencia: 'XX' })])(),
      ),
    )
  const GOOD: Record<string, () => Buffer | string> = {
    'foto-perfil': () => random.pick(pictures),
    anexos: () => PDF,
    bulk: () => (random.chance(0.7) ? table() : csv(sinan(), sinan())),
  }
  const broken = (): Buffer | string =>
    random.pick([
      '',
      'GIF89a',
      Buffer.from([0x89, 0x50, 0x4e, 0x47]),
      Buffer.concat([PDF.subarray(0, 5), Buffer.alloc(64, 0xff)]),
      (pictures[0] as Buffer).subarray(0, 60),
      'PK\u0003\u0004torto',
      gzipSync('a;b\r\n1;2'),
      `${Object.keys(linha()).join(';')}\r\n${'"'.repeat(9)};;;;\r\n`,
      csv(Object.fromEntries(Object.keys(linha()).map((name) => [name, random.pick(NASTY_TEXTS)]))),
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      '\ufeff;;;\r\n',
    ])
  const names = [
    'a.csv',
    '../../a.csv',
    'nome "com" aspas.pdf',
    '💥.png',
    `${'x'.repeat(300)}.csv`,
    'a\\b.exe',
    '',
  ]

  return function form(operation: Operation, isBroken: boolean): Form {
    const { properties = {} } = operation.body?.schema ?? {}
    const file = Object.keys(properties).find((name) => properties[name]?.contentMediaType) as string
    const good = GOOD[operation.path.split('/').at(-1) as string] ?? (() => PDF)
    const content = isBroken && random.chance(0.5) ? broken() : good()
    const fields: Part[] = Object.entries(properties)
      // A validated file takes the place of one that is sent.
      .filter(([name]) => name !== file && name !== 'validacao' && random.chance(0.8))
      .map(([field, schema]) => ({ field, content: String(values.make(schema, field, 'valid')) }))
    const filePart = {
      field: file,
      content,
      filename: random.pick(names),
      type: random.pick(['text/csv', 'image/png', '*/*']),
    }
    const whole = { headers: MULTIPART, payload: multipart(...fields, filePart), invalid: null }
    return isBroken ? mutilate(whole, fields, filePart) : whole
  }

  function mutilate(whole: Form, fields: Part[], file: Part): Form {
    const { payload } = whole
    const cut = random.integer(1, payload.length - 8)
    return random.pick<() => Form>([
      () => whole,
      () => ({ ...whole, payload: payload.subarray(0, cut), invalid: 'a form that is cut off' }),
      () => ({ ...whole, payload: multipart(...fields), invalid: 'a form without its file' }),
      () => ({ ...whole, payload: multipart(...fields, file, file), invalid: 'a form with two files' }),
      () => ({
        ...whole,
        payload: multipart(file, { field: 'formato', content: 'exe' }, { field: 'tipo', content: 'nenhum' }),
      }),
      () => ({ ...whole, payload: multipart({ field: '__proto__', content: 'x' }, ...fields, file) }),
      () => ({
        ...whole,
        payload: multipart(...Array.from({ length: 30 }, (_, i) => ({ field: `f${i}`, content: 'x' })), file),
      }),
      () => ({ ...whole, payload: Buffer.from('nada disso'), invalid: 'no form at all' }),
      () => ({
        ...whole,
        headers: { 'content-type': 'multipart/form-data' },
        invalid: 'a form without boundary',
      }),
      () => ({ ...whole, headers: { 'content-type': 'application/json' }, invalid: 'a form called JSON' }),
    ])()
  }

  /** Planted patient, whom no answer may show. */
  function plantedRow() {
    const { paciente_nome, paciente_data_nascimento, logradouro_residencia, cep_residencia } = casoPlantado()
    return linha({ paciente_nome, paciente_data_nascimento, logradouro_residencia, cep_residencia } as Record<
      string,
      string
    >)
  }
}

export type Forms = Awaited<ReturnType<typeof createForms>>
