import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import { PATHS } from '../../paths.ts'
import { lastPares } from '../../state/duplicidades.ts'
import { api } from '../../state/session.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { useSending } from '../../ui/form.ts'
import { IdentifyBar, useIdentity } from '../../ui/identity.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { Compare } from './compare.tsx'
import { DecideDialog } from './decide-dialog.tsx'
import { type Escolhas, MergeDialog } from './merge-dialog.tsx'
import { askPar, type Decisao, keyOf, nextPar, outdate, type Par, type ParAberto, parHref } from './par.ts'
import { Reasons } from './reasons.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import './styles.ts'
import { valorWords } from '../../state/filter-words.ts'

const idOf = (path: string) => {
  const id = exec(path, PATHS.duplicidade)?.params.id ?? ''
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null
}

/** One pair: both cases side by side, the reasons, and the decision. */
export default function Duplicidade() {
  const t = texts()
  const { path } = useLocation()
  const id = idOf(path)
  const query = useQuery({
    queryKey: keyOf(id ?? 0),
    queryFn: ({ signal }) => askPar(id as number, null, signal),
    enabled: id !== null,
    // Another pair is not an older answer of this one.
    placeholderData: () => undefined,
  })
  if (id === null || query.data === null)
    return (
      <Page title={t.screens.duplicidade}>
        <Empty text={duplicidadesTexts().missing}>
          <BackLink />
        </Empty>
      </Page>
    )
  if (query.data === undefined)
    return (
      <Page title={t.screens.duplicidade}>
        <Answer query={query} lines={14}>
          {() => null}
        </Answer>
      </Page>
    )
  return <Shown key={id} aberto={query.data} />
}

function BackLink() {
  return (
    <a class="back" href={lastPares.value ?? PATHS.duplicidades}>
      {duplicidadesTexts().back}
    </a>
  )
}

type Open = Decisao | 'mesmo_caso' | 'desfazer'

function Shown({ aberto }: { aberto: ParAberto }) {
  const t = texts()
  const own = duplicidadesTexts()
  const { route } = useLocation()
  const [open, setOpen] = useState<Open | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const { par } = aberto
  const identity = useIdentity(
    (motivo) => askPar(par.id, { motivo }),
    `${par.id} ${par.etag} ${par.situacao}`,
  )
  const shown = identity.shown ?? aberto
  const isIdentified = identity.shown !== null
  const [one, other] = aberto.casos
  const next = useNext(par)
  const isPending = par.situacao === 'pendente'
  useEffect(() => scrollTo(0, 0), [])
  useKeys({
    ...(isPending && {
      f: () => setOpen('mesmo_caso'),
      n: () => setOpen('outra_pessoa'),
      o: () => setOpen('outro_episodio'),
    }),
    d: () => void next.go(),
    escape: () => route(lastPares.value ?? PATHS.duplicidades),
  })
  const close = () => setOpen(null)
  const reload = () => {
    close()
    void outdate(par.id)
  }
  const finish = (text: string) => async () => {
    close()
    await outdate(par.id)
    setDone(text)
  }
  return (
    <>
      <BackLink />
      <Page
        title={own.title(one.numero_notificacao, other.numero_notificacao)}
        lead={valorWords(one.tipo_agravo, t)}
      >
        {done !== null && (
          <div class="restored">
            <Notice kind="done" text={done} />
          </div>
        )}
        <IdentifyBar identity={identity} />
        <div class={identity.isPrinted ? 'pair printed' : 'pair'}>
          <div class="pair-side">
            <Decision par={par} motivo={identity.shown?.par.motivo ?? null} next={next} onOpen={setOpen} />
            <Reasons par={par} />
          </div>
          <Compare casos={shown.casos} isIdentified={isIdentified} tags={tagsOf(par)} />
        </div>
      </Page>
      {(open === 'outra_pessoa' || open === 'outro_episodio') && (
        <DecideDialog
          par={par}
          decisao={open}
          onDone={finish(own.done[open])}
          onReload={reload}
          onClose={close}
        />
      )}
      {open === 'mesmo_caso' && (
        <MergeDialog
          casos={shown.casos}
          isIdentified={isIdentified}
          merge={mergeOf(par)}
          onDone={finish(own.done.mesmo_caso)}
          onReload={reload}
          onClose={close}
        />
      )}
      {open === 'desfazer' && par.fusao_id !== null && (
        <UndoDialog
          fusaoId={par.fusao_id}
          casos={aberto.casos}
          onDone={finish(own.undone)}
          onReload={reload}
          onClose={close}
        />
      )}
    </>
  )
}

/** Of cases that are no longer there. */
function tagsOf({ casos, situacao }: Par): (string | null)[] {
  const t = duplicidadesTexts()
  return casos.map(({ excluido }) =>
    excluido ? (situacao === 'mesmo_caso' ? t.absorbed : t.excluded) : null,
  )
}

const mergeOf = (par: Par) => (escolhas: Escolhas, idempotencyKey: string | null) =>
  api.post(
    '/api/v1/agravos/duplicidades/{id}/decidir',
    {
      params: { id: par.id },
      query: { simular: idempotencyKey === null },
      body: { decisao: 'mesmo_caso', ...escolhas },
    },
    { ifMatch: par.etag, ...(idempotencyKey !== null && { idempotencyKey }) },
  )

/** The way to the next pair of the list. */
function useNext(par: Par) {
  const { route } = useLocation()
  const [isLast, setLast] = useState(false)
  const { isSending, error, submit } = useSending(async () => {
    const id = await nextPar(par, dateInBrazil(new Date()))
    if (id === null) setLast(true)
    else route(parHref(id))
  })
  return { isSending, isLast, error, submit, go: () => submit(new Event('submit')) }
}

interface DecisionProps {
  par: Par
  /** Null: not given, or not shown. */
  motivo: string | null
  next: ReturnType<typeof useNext>
  onOpen(open: Open): void
}

function Decision({ par, motivo, next, onOpen }: DecisionProps) {
  const own = duplicidadesTexts()
  const { situacao, decidida_em, decidida_por, fusao_id } = par
  const isPending = situacao === 'pendente'
  return (
    <section class="card form decision" aria-labelledby="decisao">
      <h2 id="decisao">{own.decision}</h2>
      {next.error !== null && <Refusal error={next.error} />}
      {next.isLast && <Notice kind="info" text={own.noNext} />}
      {isPending ? (
        <>
          <p>{own.question}</p>
          <Button kind="primary" onClick={() => onOpen('mesmo_caso')}>
            {own.same}
          </Button>
          <Button onClick={() => onOpen('outra_pessoa')}>{own.otherPerson}</Button>
          <Button onClick={() => onOpen('outro_episodio')}>{own.otherEpisode}</Button>
        </>
      ) : (
        <>
          {decidida_em !== null && (
            <p>{own.decided(own.states[situacao], decidida_por?.nome ?? null, new Date(decidida_em))}</p>
          )}
          {motivo !== null && (
            <p class="secret">
              {own.reasonWas}: {motivo}
            </p>
          )}
          {fusao_id !== null && (
            <Button icon="undo" onClick={() => onOpen('desfazer')}>
              {own.undo.open}
            </Button>
          )}
        </>
      )}
      <Button kind={isPending ? 'quiet' : 'primary'} aria-disabled={next.isSending} onClick={next.submit}>
        {isPending ? own.later : own.next}
      </Button>
      {isPending && <p class="note keys">{own.keys}</p>}
    </section>
  )
}
