import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { api, cache, loadAgravos } from '../../state/session.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { Button } from '../../ui/button.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { Advanced } from './advanced.tsx'
import { Basic } from './basic.tsx'
import { CodeLists } from './codes.tsx'
import {
  type Definicao,
  definicaoOf,
  isBlank,
  isPropria,
  type Linha,
  linhaOf,
  novaLinha,
  type Problema,
} from './definicao-data.ts'
import { Fields } from './fields.tsx'
import { askTheirs, type Inicio, type Theirs } from './inicio.ts'
import { Preview } from './preview.tsx'

interface Impacto {
  casos: number
  campos_retirados: { nome: string; com_valor: number }[]
  opcoes_retiradas: { campo: string; codigo: string }[]
}

type Outcome =
  | { kind: 'checked'; impacto: Impacto }
  | { kind: 'problems' }
  | { kind: 'saved'; text: string }
  | { kind: 'refused'; text: string }
  | null

/** Another version was saved meanwhile; what compares it comes with it. */
interface Clash {
  theirs: Theirs
  Dialog: typeof import('./conflict.tsx').DefinicaoConflict
  ativar: boolean
}

const TIPOS = '/api/v1/agravos/tipos'

/** Saved just now: told by the editor of the new version, which takes the place of this one. */
let told: string | null = null

function takeTold(): Outcome {
  const text = told
  told = null
  return text === null ? null : { kind: 'saved', text }
}

export function Editor({ codigo, inicio }: { codigo: string | null; inicio: Inicio }) {
  const own = agravosTexts()
  const { route } = useLocation()
  /** Version that this one is written over. */
  const [on, setOn] = useState(inicio)
  const [base, setBase] = useState(inicio.definicao)
  const [linhas, setLinhas] = useState(() => linhasOf(inicio))
  const [problemas, setProblemas] = useState<readonly Problema[]>([])
  const [outcome, setOutcome] = useState<Outcome>(takeTold)
  const [round, setRound] = useState(0)
  const [busy, setBusy] = useState<'check' | 'save' | null>(null)
  const [clash, setClash] = useState<Clash | null>(null)
  const key = useRef(crypto.randomUUID())
  const definicao = definicaoOf(base, linhas)

  const end = (next: Outcome, found: readonly Problema[] = []) => {
    setProblemas(found)
    setOutcome(next)
    setRound((count) => count + 1)
  }
  const run = async (kind: 'check' | 'save', send: () => Promise<void>) => {
    if (busy !== null) return
    // Problems name fields by their place: rows that are no field have none.
    setLinhas((all) => all.filter((linha) => !isBlank(linha)))
    setBusy(kind)
    try {
      await send()
    } catch (error) {
      const found = problemsOf(error)
      if (found.length > 0) end({ kind: 'problems' }, found)
      else end({ kind: 'refused', text: refusalText(error) })
    } finally {
      setBusy(null)
    }
  }
  const check = () =>
    run('check', async () => {
      const { problemas: found, impacto } = await simulate(codigo, definicao)
      end(found.length > 0 ? { kind: 'problems' } : { kind: 'checked', impacto }, found)
    })
  const store = async (next: Definicao, over: Inicio, ativar: boolean) => {
    const body = { ...next, ativar } as unknown as Record<string, unknown>
    const answer =
      codigo === null
        ? await api.post(TIPOS, { body }, { idempotencyKey: key.current })
        : await api.put(`${TIPOS}/{codigo}`, { params: { codigo }, body }, { ifMatch: `"${over.ultima}"` })
    if (!('versao' in answer)) return
    await loadAgravos()
    const { versao, estado } = answer
    const isSame = versao === over.ultima && estado === over.estado
    const text = isSame ? own.same : estado === 'ativa' ? own.savedActive(versao) : own.saved(versao)
    end({ kind: 'saved', text })
    if (versao !== inicio.ultima) told = text
    await cache.invalidateQueries({ queryKey: ['agravos'] })
    if (codigo === null) route(pathTo(PATHS.agravo, { codigo: next.codigo }), true)
  }
  /** Saves; a version that somebody else saved meanwhile is compared part by part. */
  const save = (ativar: boolean, next = definicao, over = on) =>
    run('save', async () => {
      try {
        await store(next, over, ativar)
      } catch (error) {
        if (codigo === null || !(error instanceof ApiError) || error.status !== 409) throw error
        const { DefinicaoConflict } = await import('./conflict.tsx')
        setClash({ theirs: await askTheirs(codigo), ativar, Dialog: DefinicaoConflict })
      }
    })
  const resend = ({ theirs, ativar }: Clash, next: Definicao) => {
    setClash(null)
    setOn(theirs.inicio)
    setBase(next)
    setLinhas(linhasOf({ ...theirs.inicio, definicao: next }))
    void save(ativar, next, theirs.inicio)
  }
  // Esc leaves details, but no form.
  useKeys({ 'ctrl+s': () => void save(false), escape: () => undefined })
  return (
    <form class="definir" autocomplete="off" noValidate onSubmit={(event) => event.preventDefault()}>
      <div class="definir-main">
        <Result outcome={outcome} problemas={problemas} round={round} />
        <Basic base={base} isStored={codigo !== null} problemas={problemas} onChange={setBase} />
        <CodeLists base={base} problemas={problemas} onChange={setBase} />
        <Fields linhas={linhas} problemas={problemas} onChange={setLinhas} />
        <Advanced base={base} proprios={propriosOf(linhas)} problemas={problemas} onChange={setBase} />
      </div>
      <aside class="card definir-side" aria-labelledby="como-fica">
        <Preview linhas={linhas} />
      </aside>
      <div class="definir-actions">
        <Button kind="primary" aria-disabled={busy !== null} onClick={() => void save(true)}>
          {busy === 'save' ? own.saving : own.saveAndActivate}
        </Button>
        <Button aria-disabled={busy !== null} onClick={() => void save(false)}>
          {own.save}
        </Button>
        <Button icon="done" aria-disabled={busy !== null} onClick={() => void check()}>
          {busy === 'check' ? own.check.running : own.check.run}
        </Button>
      </div>
      {clash !== null && (
        <clash.Dialog
          before={on.definicao}
          mine={definicao}
          theirs={clash.theirs}
          isSending={busy !== null}
          onSend={(next) => resend(clash, next)}
          onClose={() => setClash(null)}
        />
      )}
    </form>
  )
}

const propriosOf = (linhas: readonly Linha[]) =>
  linhas.filter(isPropria).map(({ campo: { nome, rotulo } }) => ({ nome, rotulo }))

function linhasOf({ definicao, emVigor }: Inicio): Linha[] {
  const stored = new Set((emVigor?.campos ?? []).flatMap((campo) => ('nome' in campo ? [campo.nome] : [])))
  const linhas = definicao.campos.map((campo) => linhaOf(campo, 'nome' in campo && stored.has(campo.nome)))
  return linhas.length > 0 ? linhas : [novaLinha('')]
}

interface Simulada {
  problemas: Problema[]
  impacto: Impacto
}

async function simulate(codigo: string | null, definicao: Definicao): Promise<Simulada> {
  const body = { ...definicao } as unknown as Record<string, unknown>
  const query = { simular: true }
  const answer =
    codigo === null
      ? await api.post(TIPOS, { body, query })
      : await api.put(`${TIPOS}/{codigo}`, { params: { codigo }, body, query })
  return answer as unknown as Simulada
}

/** Problems of a refused definition, as a dry run tells them. */
const problemsOf = (error: unknown): Problema[] =>
  error instanceof ApiError && error.status === 422
    ? error.details.flatMap((one) =>
        typeof one === 'string' ? [] : [{ campo: one.field, mensagem: one.message }],
      )
    : []

const refusalText = (error: unknown) => `${agravosTexts().refused} ${errorText(error)}`

interface ResultProps {
  outcome: Outcome
  problemas: readonly Problema[]
  round: number
}

/** Outcome of a dry run or of saving, on top; each problem names its place. */
function Result({ outcome, problemas, round }: ResultProps) {
  const own = agravosTexts().check
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    element.current?.focus()
    element.current?.scrollIntoView({ block: 'center' })
  }, [round])
  if (outcome === null) return null
  if (outcome.kind === 'saved') return <Notice key={round} kind="done" text={outcome.text} />
  if (outcome.kind === 'refused') return <Notice key={round} kind="error" text={outcome.text} />
  if (outcome.kind === 'problems')
    return (
      <div class="problem-summary" role="alert" tabIndex={-1} ref={element} key={round}>
        <h2>{own.problems(problemas.length)}</h2>
        <ul>
          {problemas.map(({ campo, mensagem }) => (
            <li key={`${campo} ${mensagem}`}>
              <code>{campo}</code>
              {': '}
              {mensagem}
            </li>
          ))}
        </ul>
      </div>
    )
  const { casos, campos_retirados, opcoes_retiradas } = outcome.impacto
  return (
    <div class="notice done" role="status" tabIndex={-1} ref={element} key={round}>
      <p>
        {own.good} {own.impact(casos)}
      </p>
      <ul>
        {campos_retirados.map(({ nome, com_valor }) => (
          <li key={nome}>{own.fieldRetired(nome, com_valor)}</li>
        ))}
        {opcoes_retiradas.map(({ campo, codigo }) => (
          <li key={`${campo} ${codigo}`}>{own.optionRetired(campo, codigo)}</li>
        ))}
      </ul>
    </div>
  )
}
