import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askForDuplicidades } from '../../src/domain/casos/duplicidades/agenda.ts'
import { RITA, RITA_DE_NOVO } from '../contracts/b/duplicidades-app.ts'
import { PASSWORD } from '../harness/app.ts'
import { commandLine, linesOf } from '../harness/command-line.ts'
import { eventually } from '../harness/eventually.ts'

const { service, vigia, done, json, LOGIN } = await commandLine()
await done(LOGIN, { input: `${PASSWORD}\n` })

let numero = 0
async function casoOf(fields: object): Promise<number> {
  const input = JSON.stringify({ numero_notificacao: `D${++numero}`, ...fields })
  return (await json(['casos', 'criar', '-'], { input })).id
}

/** Two cases of one person, unlike those of before, and their pair, once they were compared. */
async function par() {
  const [nome = '', nascimento = ''] = PESSOAS.pop() ?? []
  const pessoa = { paciente_nome: nome, paciente_data_nascimento: nascimento }
  const casos = [await casoOf({ ...RITA, ...pessoa }), await casoOf({ ...RITA_DE_NOVO, ...pessoa })]
  service.advance(60_000)
  await askForDuplicidades(service.t.app)
  const found = await eventually(async () => {
    const one = (await pares()).find((par) => par.casos.every(({ caso }) => casos.includes(caso.id)))
    assert.ok(one, 'the pair was found')
    return one
  })
  return { id: String(found.id), casos: casos.map(String) as [string, string] }
}
const PESSOAS = [
  ['Rita Pacheco Lobato', '1990-05-06'],
  ['Beatriz Nogueira Sampaio', '1957-11-23'],
  ['Joaquina Ferraz Teles', '1981-02-17'],
  ['Conceição Duarte Vilela', '1969-08-30'],
  ['Marlene Quintino Brasil', '2003-12-01'],
]

const pares = async (): Promise<{ id: number; casos: { caso: { id: number } }[]; situacao: string }[]> =>
  linesOf((await done(['duplicidades', 'listar', '--json'])).stdout)
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const fusoes = async () => linesOf((await done(['fusoes', 'listar', '--json'])).stdout).filter(Boolean)

describe('vigia duplicidades', () => {
  it('listar shows pending pairs, with names on request, and others by a filter', async () => {
    const { id, casos } = await par()
    const { stdout } = await done(['duplicidades', 'listar'])
    assert.match(
      stdout,
      /^id\tfaixa\tescore\tagravo\tcaso_1\tnotificacao_1\tpaciente_1\tmunicipio_1\tcaso_2\t/,
    )
    assert.match(
      stdout,
      new RegExp(`^${id}\\t\\w+\\t[\\d.]+\\tdengue\\t${casos[0]}\\t2026-03-02\\tM\\. `, 'm'),
    )
    assert.match((await done(['duplicidades', 'listar'], { isTTY: true })).stdout, /Dengue/)
    assert.match((await done(['duplicidades', 'listar', '--identificado'])).stdout, /Marlene Quintino Brasil/)
    const none = await done(['duplicidades', 'listar', '--filtro', 'situacao=mesmo_caso', '--json'])
    assert.equal(none.stdout, '')
  })

  it('decidir asks first, simulates, and decides once', async () => {
    const { id } = await par()
    const decide = ['duplicidades', 'decidir', id, 'outra_pessoa', '--motivo', 'São irmãs']
    assert.equal((await vigia(decide)).code, 2)
    const { stderr, stdout } = await done([...decide, '--simular'])
    assert.match(stderr, new RegExp(`Simulação.*Decidir o par ${id}: outra_pessoa`))
    assert.match(stdout, /^simulado +true$/m)
    const no = await vigia(decide, { input: 'n\n', isTyped: true })
    assert.deepEqual([no.code, /Nada foi feito/.test(no.stderr)], [1, true])
    assert.ok((await pares()).some((one) => String(one.id) === id))
    assert.equal((await json([...decide, '--sim'])).situacao, 'outra_pessoa')
    assert.ok(!(await pares()).some((one) => String(one.id) === id))
    assert.equal((await vigia([...decide, '--sim'])).code, 1)
    assert.equal((await vigia(['duplicidades', 'decidir', id, 'talvez'])).code, 2)
    assert.equal((await vigia([...decide, '--campo', 'evolucao'])).code, 2)
  })

  it('decidir mesmo_caso says which case stays, and merges as it was told', async () => {
    const { id, casos } = await par()
    const decide = ['duplicidades', 'decidir', id, 'mesmo_caso', '--principal', casos[1]]
    const yes = await done(decide, { input: 's\n', isTyped: true })
    assert.ok(yes.stderr.includes(`Fundir o caso ${casos[0]} no caso ${casos[1]}, que fica? [s/N]`))
    assert.match(yes.stdout, new RegExp(`^principal_id +${casos[1]}$`, 'm'))
    assert.equal((await vigia(['casos', 'ver', casos[0]])).code, 1)
  })

  it('qualidade counts what was decided, varredura is a job', async () => {
    const { stdout } = await done(['duplicidades', 'qualidade'])
    assert.match(stdout, /^faixa\ttotal\tdecididas\t/)
    assert.equal(linesOf((await done(['duplicidades', 'qualidade', '--json'])).stdout).length, 3)
    assert.match((await done(['duplicidades', 'varredura', '--simular'])).stderr, /Simulação/)
    assert.ok((await json(['duplicidades', 'varredura'])).job_id)
    assert.match((await done(['duplicidades', 'varredura', '--acompanhar'])).stdout, /^job_id +\S+$/m)
  })
})

describe('vigia casos fundir, fusoes', () => {
  it('merges after a question, and undoes it after another', async () => {
    const { casos } = await par()
    const before = (await fusoes()).length
    const merge = ['casos', 'fundir', ...casos]
    assert.equal((await vigia(merge)).code, 2)
    assert.match(
      (await done([...merge, '--simular'])).stderr,
      new RegExp(`Simulação.*caso ${casos[0]}, que fica`),
    )
    assert.equal((await fusoes()).length, before)
    const merged = await json([...merge, '--campo', `evolucao=${casos[1]}`, '--sim'])
    assert.equal(merged.campos.find(({ campo }: { campo: string }) => campo === 'evolucao').valor, 'cura')
    assert.equal((await vigia(['casos', 'ver', casos[1]])).code, 1)
    assert.match(
      (await done(['fusoes', 'listar'])).stdout,
      new RegExp(`^${merged.fusao_id}\\tdengue\\t${casos.join('\\t')}\\t`, 'm'),
    )
    const undo = ['fusoes', 'desfazer', String(merged.fusao_id)]
    assert.equal((await vigia(undo)).code, 2)
    assert.match((await done([...undo, '--simular'])).stderr, new RegExp(`o caso ${casos[1]} volta`))
    assert.equal((await vigia(['casos', 'ver', casos[1]])).code, 1)
    await done(undo, { input: 's\n', isTyped: true })
    assert.equal((await json(['casos', 'ver', casos[1]])).evolucao, 'cura')
    assert.equal((await vigia([...undo, '--sim'])).code, 1)
  })

  it('refuses a merge of what changed while somebody thought about it', async () => {
    const { casos } = await par()
    const before = (await fusoes()).length
    const admin = service.t.as(await service.t.administrador())
    let changed: Promise<unknown> | undefined
    const onOutput = (text: string) => {
      if (text.includes('[s/N]'))
        changed ??= admin.patch(`/agravos/casos/${casos[0]}`, { bairro_residencia: 'Boa Viagem' })
    }
    const input = (async function* () {
      while (changed === undefined) await new Promise((resolve) => setTimeout(resolve, 10))
      await changed
      yield 's\n'
    })()
    const { code, stderr } = await vigia(['casos', 'fundir', ...casos], { input, isTyped: true, onOutput })
    assert.equal(code, 1, stderr)
    assert.equal((await fusoes()).length, before)
  })
})
