import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { valorWords } from '../../state/filter-words.ts'
import { api } from '../../state/session.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { useSending } from '../../ui/form.ts'
import { IdentifyBar, useIdentity } from '../../ui/identity.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { Compare } from './compare.tsx'
import { type Escolhas, type Fusao, MergeDialog } from './merge-dialog.tsx'
import { askCaso, askCasos, type CasoInteiro, outdateCasos, PARES } from './par.ts'
import { UndoDialog } from './undo-dialog.tsx'
import './styles.ts'

/** A merge that stands. */
type Feita = AnswerOf<'GET', '/api/v1/agravos/fusoes'>['items'][number]
type Dois = readonly [CasoInteiro, CasoInteiro]

const FUNDIR = [...PARES, 'fundir'] as const
const NUMBER = /^[1-9]\d{0,8}$/
const numberOf = (text: string | undefined) => (NUMBER.test(text ?? '') ? Number(text) : null)
const fundirHref = (id: number, com?: number) =>
  `${pathTo(PATHS.casoFundir, { id })}${com === undefined ? '' : `?com=${com}`}`

async function askFeita(principal_id: number, absorvido_id: number, signal: AbortSignal) {
  const query = { principal_id, absorvido_id, desfeita: false, size: 1 }
  return (await api.get('/api/v1/agravos/fusoes', { query }, { signal })).items[0] ?? null
}

/** Two cases that nobody proposed as a pair: which is the other, both side by side, and the merge with its undo. */
export default function Fundir() {
  const { path, query } = useLocation()
  const id = numberOf(exec(path, PATHS.casoFundir)?.params.id) ?? 0
  const com = numberOf(query.com)
  return com === null || com === id ? (
    <Choose key={id} id={id} />
  ) : (
    <Both key={`${id} ${com}`} ids={[id, com]} />
  )
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404

function BackLink({ id }: { id: number }) {
  const href = pathTo(PATHS.caso, { id })
  const { route } = useLocation()
  useKeys({ escape: () => route(href) })
  return (
    <a class="back" href={href}>
      {duplicidadesTexts().join.back}
    </a>
  )
}

function Missing({ id }: { id: number }) {
  const t = duplicidadesTexts().join
  return (
    <Page title={texts().screens.casoFundir}>
      <Empty text={t.missing}>
        <a class="button plain" href={fundirHref(id)}>
          {t.change}
        </a>
        <BackLink id={id} />
      </Empty>
    </Page>
  )
}

function Choose({ id }: { id: number }) {
  const t = duplicidadesTexts().join
  const caso = useQuery({
    queryKey: [...FUNDIR, id],
    queryFn: ({ signal }) => askCaso(id, null, signal),
    placeholderData: () => undefined,
  })
  const { data } = caso
  if (isMissing(caso.error)) return <Missing id={id} />
  return (
    <>
      <BackLink id={id} />
      <Page
        title={data === undefined ? texts().screens.casoFundir : t.title(data.numero_notificacao)}
        lead={t.lead}
      >
        <Answer query={caso} lines={4}>
          {(one) => <Find caso={one} />}
        </Answer>
      </Page>
    </>
  )
}

type Achado = Pick<CasoInteiro, 'id' | 'numero_notificacao' | 'data_notificacao' | 'paciente' | 'endereco'>

/** One case with the number is compared at once; of several somebody chooses. */
function Find({ caso }: { caso: CasoInteiro }) {
  const t = duplicidadesTexts()
  const { route } = useLocation()
  const [numero, setNumero] = useState('')
  const [found, setFound] = useState<Achado[] | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    const asked = { numero_notificacao: numero.trim(), tipo_agravo: caso.tipo_agravo, size: 50 }
    const { tipos } = await api.get('/api/v1/agravos/casos', { query: asked })
    const others = (tipos as unknown as Achado[]).filter(({ id }) => id !== caso.id)
    const [only] = others
    if (only !== undefined && others.length === 1) return route(fundirHref(caso.id, only.id))
    setFound(others)
  })
  return (
    <form class="card form" ref={form} onSubmit={submit} noValidate>
      {error !== null && <Refusal error={error} />}
      <div class="short">
        <Field
          label={t.join.other}
          value={numero}
          autocomplete="off"
          onInput={(next) => {
            setNumero(next)
            setFound(null)
          }}
          problem={found?.length === 0 ? t.join.none(numero.trim()) : undefined}
        />
      </div>
      <div class="row start">
        <Button type="submit" kind="primary" aria-disabled={isSending || numero.trim() === ''}>
          {t.join.find}
        </Button>
      </div>
      {found !== null && found.length > 1 && <Several caso={caso} found={found} />}
    </form>
  )
}

/** Marks of a case among others with its number: initials, municipality, day of notification. */
function marksOf({ paciente, endereco, data_notificacao }: Achado): string {
  const day = duplicidadesTexts().notified(texts().filtros.day(data_notificacao.slice(0, 10)))
  return [paciente?.nome, endereco?.municipio_residencia, day].filter(Boolean).join(', ')
}

function Several({ caso, found }: { caso: CasoInteiro; found: Achado[] }) {
  const t = duplicidadesTexts()
  return (
    <>
      <p role="status">{t.join.several}</p>
      <ul class="history">
        {found.map((one) => (
          <li key={one.id}>
            <a href={fundirHref(caso.id, one.id)}>{t.caseOf(one.numero_notificacao)}</a>{' '}
            <small>{marksOf(one)}</small>
          </li>
        ))}
      </ul>
    </>
  )
}

function Both({ ids }: { ids: readonly [number, number] }) {
  const query = useQuery({
    queryKey: [...FUNDIR, ...ids],
    queryFn: async ({ signal }): Promise<Feita | Dois> =>
      (await askFeita(...ids, signal)) ?? (await askCasos(ids, null, signal)),
    placeholderData: () => undefined,
    // Versions of both are sent with the merge.
    staleTime: 0,
  })
  const reload = () => {
    outdateCasos()
    void query.refetch()
  }
  if (isMissing(query.error)) return <Missing id={ids[0]} />
  return (
    <>
      <BackLink id={ids[0]} />
      {query.data === undefined ? (
        <Page title={texts().screens.casoFundir}>
          <Answer query={query} lines={14}>
            {() => null}
          </Answer>
        </Page>
      ) : 'absorvido' in query.data ? (
        <Merged feita={query.data} onUndone={reload} />
      ) : (
        <Beside casos={query.data} onReload={reload} />
      )}
    </>
  )
}

/** In the order of their ids, as the service compares them. */
const etagOf = (casos: Dois) => {
  const [one, other] = casos.toSorted((a, b) => a.id - b.id)
  return `"${one?.versao}/${other?.versao}"`
}

const mergeOf =
  (casos: Dois) =>
  (escolhas: Escolhas, idempotencyKey: string | null): Promise<Fusao> =>
    api.post(
      '/api/v1/agravos/casos/{id}/fundir',
      {
        params: { id: casos[0].id },
        query: { simular: idempotencyKey === null },
        body: { caso_id: casos[1].id, ...escolhas },
      },
      { ifMatch: etagOf(casos), ...(idempotencyKey !== null && { idempotencyKey }) },
    )

function Beside({ casos, onReload }: { casos: Dois; onReload(): void }) {
  const t = texts()
  const own = duplicidadesTexts()
  const { route } = useLocation()
  const [isMerging, setMerging] = useState(false)
  const [one, other] = casos
  const identity = useIdentity((motivo) => askCasos([one.id, other.id], { motivo }), etagOf(casos))
  const shown = identity.shown ?? casos
  const isIdentified = identity.shown !== null
  const finish = ({ principal_id, absorvido_id }: Fusao) => {
    outdateCasos()
    if (principal_id === null || absorvido_id === null) return
    // The same address would show the case that is gone.
    if (principal_id === one.id) onReload()
    else route(fundirHref(principal_id, absorvido_id), true)
  }
  return (
    <Page
      title={own.title(one.numero_notificacao, other.numero_notificacao)}
      lead={valorWords(one.tipo_agravo, t)}
    >
      <IdentifyBar identity={identity} />
      <div class={identity.isPrinted ? 'pair printed' : 'pair'}>
        <div class="pair-side">
          <section class="card form decision" aria-labelledby="decisao">
            <h2 id="decisao">{own.decision}</h2>
            <p>{own.question}</p>
            <Button kind="primary" onClick={() => setMerging(true)}>
              {own.join.merge}
            </Button>
            <a class="button plain" href={fundirHref(one.id)}>
              {own.join.change}
            </a>
          </section>
        </div>
        <Compare casos={shown} isIdentified={isIdentified} />
      </div>
      {isMerging && (
        <MergeDialog
          casos={shown}
          isIdentified={isIdentified}
          merge={mergeOf(casos)}
          onDone={(fusao) => {
            setMerging(false)
            finish(fusao)
          }}
          onReload={() => {
            setMerging(false)
            onReload()
          }}
          onClose={() => setMerging(false)}
        />
      )}
    </Page>
  )
}

function Merged({ feita, onUndone }: { feita: Feita; onUndone(): void }) {
  const own = duplicidadesTexts()
  const { id, principal, absorvido } = feita
  const [isUndoing, setUndoing] = useState(false)
  const close = () => setUndoing(false)
  const done = () => {
    close()
    onUndone()
  }
  return (
    <Page title={own.title(principal.numero_notificacao, absorvido.numero_notificacao)}>
      <section class="card form">
        <Notice
          kind="done"
          text={own.join.done(principal.numero_notificacao, absorvido.numero_notificacao)}
        />
        <div class="row start">
          <a class="button primary" href={pathTo(PATHS.caso, { id: principal.id })}>
            {own.join.open(principal.numero_notificacao)}
          </a>
          <Button icon="undo" onClick={() => setUndoing(true)}>
            {own.undo.open}
          </Button>
        </div>
      </section>
      {isUndoing && (
        <UndoDialog
          fusaoId={id}
          casos={[principal, absorvido]}
          onDone={done}
          onReload={done}
          onClose={close}
        />
      )}
    </Page>
  )
}
